/* SPDX-License-Identifier: MIT */
/*
 * winnow-gcc.cc - a plug-in for gcc 12 and later: makes static loops record each chunk.
 *
 * GCC computes static loops in line. Two passes run around the one that does it, and one later:
 *
 *   mark     before: a call in front of every static loop keeps its first value and step as
 *            operands, one at the start of its body marks where iterations start
 *   ompexp   GCC's own: outlines regions and writes the chunk loops; the calls move with the code
 *   hook     after: finds the code that ompexp wrote, which always has the same shape, and
 *            inserts the guarded calls of doc/static-chunks.md
 *   split    in the middle of the optimisers: for a small body, tests once, before the
 *            loop, and makes a copy of the loop without hooks
 *
 *   before                     entry:  n = trip count, omp_get_num_threads, omp_get_thread_num
 *     begin -> on              part:   s0 = ..., e0 = ..., if (no iterations left) goto done
 *                              body:   (the inner loop)
 *     on && on(s0, e0)
 *                              done:
 *     on && on(0, 0)
 *
 * Code of any other shape is left unchanged: the marks are removed. It is C++ because GCC's headers
 * are.
 */
/* These headers must be included in this order. */
/* clang-format off */
#include "gcc-plugin.h"
#include "plugin-version.h"
#include "context.h"
#include "tree.h"
#include "tree-pass.h"
#include "stringpool.h"
#include "attribs.h"
#include "basic-block.h"
#include "function.h"
#include "gimple.h"
#include "ssa.h"
#include "gimple-iterator.h"
#include "gimplify.h"
#include "cfgloop.h"
#include "cfgloopmanip.h"
#include "cfghooks.h"
#include "cfganal.h"
#include "dominance.h"
#include "fold-const.h"
#include "tree-cfg.h"
#include "tree-inline.h"
#include "omp-general.h"
#include "diagnostic-core.h"
#include "cgraph.h"
#include "target.h"
#include "output.h"
#include "tm.h"
/* clang-format on */

#include <string.h>

#define HOOK "winnow_static_begin"
#define ON   "winnow_on" /* value returned by begin; gcc appends a dot and a number */

#define EXPORTED __attribute__((visibility("default")))

/* Names required by the plug-in interface. */
EXPORTED int plugin_is_GPL_compatible;
EXPORTED int plugin_init(struct plugin_name_args *plugin, struct plugin_gcc_version *version);

namespace
{

/* Flags read by record/sources/plugin/static.c. */
enum { LOOP_UNSIGNED = 1, LOOP_BOUNDS = 2, LOOP_SIGNED_COUNT = 4 };

tree loop_mark, body_mark; /* calls that exist only between the two passes */
int n_marked;
int n_left; /* static loops of this unit that do not, or may not, record chunks */
bool is_verbose;

/* A block's last statement that is not of the debugger, or NULL. GCC's function of its own for this
 * is gone since 14. */
gimple *
last_statement(basic_block bb)
{
	return gsi_stmt(gsi_last_nondebug_bb(bb));
}

tree
make_mark(const char *name)
{
	tree type = build_varargs_function_type_list(void_type_node, integer_type_node, NULL_TREE);
	tree decl = build_fn_decl(name, type);
	DECL_ARTIFICIAL(decl) = 1;
	return decl;
}

/* --- values ------------------------------------------------------------------------------- */

tree
assign(gimple_seq *seq, tree type, enum tree_code code, tree value, location_t where)
{
	tree to = create_tmp_var(type, "winnow");
	gimple *g = gimple_build_assign(to, code, value);
	gimple_set_location(g, where);
	gimple_seq_add_stmt(seq, g);
	return to;
}

/* A number or address as 64 bits, extended according to its type. */
tree
wide(gimple_seq *seq, tree value, location_t where)
{
	tree type = TREE_TYPE(value);
	if (TREE_CODE(value) == INTEGER_CST && !POINTER_TYPE_P(type))
		return fold_convert(uint64_type_node, value);
	if (POINTER_TYPE_P(type)) {
		tree plain = unsigned_type_for(type);
		if (!useless_type_conversion_p(plain, type))
			value = assign(seq, plain, NOP_EXPR, value, where);
		type = plain;
	}
	if (!useless_type_conversion_p(uint64_type_node, type))
		value = assign(seq, uint64_type_node, NOP_EXPR, value, where);
	return value;
}

bool
is_narrow(tree value)
{
	tree type = TREE_TYPE(value);
	return (INTEGRAL_TYPE_P(type) || POINTER_TYPE_P(type)) && TYPE_PRECISION(type) <= 64;
}

/* --- before: marks ------------------------------------------------------------------------ */

bool
is_static_loop(gomp_for *loop)
{
	if (gimple_omp_for_kind(loop) != GF_OMP_FOR_KIND_FOR)
		return false;
	tree clauses = gimple_omp_for_clauses(loop);
	if (omp_find_clause(clauses, OMP_CLAUSE_ORDERED))
		return false; /* dispatched by libgomp */
	tree schedule = omp_find_clause(clauses, OMP_CLAUSE_SCHEDULE);
	if (!schedule)
		return true;
	int kind = OMP_CLAUSE_SCHEDULE_KIND(schedule) & OMP_CLAUSE_SCHEDULE_MASK;
	return kind == OMP_CLAUSE_SCHEDULE_STATIC || kind == OMP_CLAUSE_SCHEDULE_AUTO;
}

/* The increment as a number: `i = i + step` and, for pointers, `i + step`. */
tree
step_of(gomp_for *loop)
{
	tree incr = gimple_omp_for_incr(loop, 0);
	if (TREE_CODE(incr) != PLUS_EXPR && TREE_CODE(incr) != POINTER_PLUS_EXPR &&
	    TREE_CODE(incr) != MINUS_EXPR)
		return NULL_TREE;
	return TREE_OPERAND(incr, 1);
}

/* The Fortran front end counts loops with a step other than 1 and -1 from 0 by 1 in a variable of
 * its own; the C++ front end does so for iterators. */
bool
is_users_variable(gomp_for *loop)
{
	tree index = gimple_omp_for_index(loop, 0);
	const char *name = DECL_NAME(index) ? IDENTIFIER_POINTER(DECL_NAME(index)) : "";
	return !(DECL_ARTIFICIAL(index) && strncmp(name, "count.", 6) == 0);
}

void
mark_loop(basic_block bb, gomp_for *loop)
{
	location_t where = gimple_location(loop);
	tree first = gimple_omp_for_initial(loop, 0);
	tree step = step_of(loop);
	bool is_single = gimple_omp_for_collapse(loop) == 1 && step;
	bool has_bounds = is_single && is_users_variable(loop);
	bool is_unsigned = false, is_minus = false;
	gimple_seq before = NULL;

	if (EDGE_COUNT(bb->succs) == 0 || !is_narrow(first))
		return;
	edge to_body = FALLTHRU_EDGE(bb);
	if (has_bounds) {
		is_unsigned = TYPE_UNSIGNED(TREE_TYPE(first));
		is_minus = TREE_CODE(gimple_omp_for_incr(loop, 0)) == MINUS_EXPR;
		tree own = omp_find_clause(gimple_omp_for_clauses(loop), OMP_CLAUSE__LOOPTEMP_);
		if (gimple_omp_for_combined_into_p(loop) && own)
			first = OMP_CLAUSE_DECL(own);
	} else {
		first = build_zero_cst(uint64_type_node);
		step = build_one_cst(uint64_type_node);
	}
	tree schedule = omp_find_clause(gimple_omp_for_clauses(loop), OMP_CLAUSE_SCHEDULE);
	tree chunk = schedule ? OMP_CLAUSE_SCHEDULE_CHUNK_EXPR(schedule) : NULL_TREE;
	chunk = chunk ? chunk : build_zero_cst(uint64_type_node);

	tree first_value = wide(&before, first, where);
	tree step_value;
	/* A negative step of an unsigned variable is a large number of its width. */
	if (TYPE_UNSIGNED(TREE_TYPE(step)) && has_bounds) {
		tree plain = signed_type_for(TREE_TYPE(step));
		step = TREE_CODE(step) == INTEGER_CST
		           ? fold_convert(plain, step)
		           : assign(&before, plain, NOP_EXPR, step, where);
	}
	step_value = wide(&before, step, where);
	if (is_minus)
		step_value =
		    TREE_CODE(step_value) == INTEGER_CST
			? fold_build1(NEGATE_EXPR, uint64_type_node, step_value)
			: assign(&before, uint64_type_node, NEGATE_EXPR, step_value, where);
	tree chunk_value = wide(&before, chunk, where);
	int flags =
	    (is_unsigned ? LOOP_UNSIGNED : 0) | (has_bounds || !is_single ? LOOP_BOUNDS : 0);
	tree number = build_int_cst(integer_type_node, n_marked++);
	gcall *mark = gimple_build_call(loop_mark, 5, number, first_value, step_value, chunk_value,
	                                build_int_cst(integer_type_node, flags));
	gimple_set_location(mark, where);
	gimple_seq_add_stmt(&before, mark);
	gimple_stmt_iterator at = gsi_last_bb(bb);
	gsi_insert_seq_before(&at, before, GSI_SAME_STMT);

	gimple_stmt_iterator top = gsi_after_labels(to_body->dest);
	gsi_insert_before(&top, gimple_build_call(body_mark, 1, number), GSI_SAME_STMT);
}

const pass_data mark_data = {
    GIMPLE_PASS, "winnow_mark", OPTGROUP_OMP, TV_NONE, PROP_gimple_any, 0, 0, 0, 0};

class mark_pass : public gimple_opt_pass
{
      public:
	explicit mark_pass(gcc::context *context) : gimple_opt_pass(mark_data, context)
	{
	}
	bool
	gate(function *) final override
	{
		return flag_openmp && !seen_error();
	}
	unsigned int execute(function *fun) final override;
};

unsigned int
mark_pass::execute(function *fun)
{
	basic_block bb;
	auto_vec<basic_block> found;

	if (fun->curr_properties & PROP_gimple_eomp)
		return 0;
	FOR_EACH_BB_FN(bb, fun)
	{
		gimple *last = last_statement(bb);
		if (last && gimple_code(last) == GIMPLE_OMP_FOR)
			found.safe_push(bb);
	}
	for (basic_block one : found) {
		gomp_for *loop = as_a<gomp_for *>(last_statement(one));
		if (is_static_loop(loop)) {
			n_left++; /* until it is found again */
			mark_loop(one, loop);
		}
	}
	return 0;
}

/* --- after: hooks ------------------------------------------------------------------------- */

/* The code that ompexp generated for one loop. */
struct static_loop {
	gcall *loop_at, *body_at; /* the marks */
	basic_block entry;        /* computes the trip count */
	basic_block part;         /* bounds of one chunk, and the test whether there is one */
	tree first, past;         /* of the chunk, logical */
	tree n;                   /* iterations */
	edge to_body, to_done;
};

bool
is_call_to(gimple *stmt, tree decl)
{
	return is_gimple_call(stmt) && gimple_call_fndecl(stmt) == decl;
}

bool
is_thread_num(gimple *stmt)
{
	return gimple_call_builtin_p(stmt, BUILT_IN_OMP_GET_THREAD_NUM);
}

/* The assignment to `to` of an expression of this code in a block; to any variable if NULL. */
gassign *
assignment(basic_block bb, tree to, enum tree_code code)
{
	for (gimple_stmt_iterator i = gsi_last_bb(bb); !gsi_end_p(i); gsi_prev(&i)) {
		gassign *g = dyn_cast<gassign *>(gsi_stmt(i));
		if (g && gimple_assign_rhs_code(g) == code && (!to || gimple_assign_lhs(g) == to))
			return g;
	}
	return NULL;
}

/* Is this the test for a further chunk? With a chunk size `e0 = MIN(s0 + c, n); if (s0 < n)`,
 * without one `e0 = s0 + q; if (s0 >= e0)`. */
bool
reads_part(struct static_loop *loop, basic_block bb)
{
	gimple *last = last_statement(bb);
	gcond *cond = last ? dyn_cast<gcond *>(last) : NULL;
	edge yes, no;

	if (!cond)
		return false;
	extract_true_false_edges_from_block(bb, &yes, &no);
	tree left = gimple_cond_lhs(cond), right = gimple_cond_rhs(cond);
	if (gimple_cond_code(cond) == LT_EXPR) {
		gassign *min = assignment(bb, NULL_TREE, MIN_EXPR);
		if (!min || !operand_equal_p(gimple_assign_rhs2(min), right, 0))
			return false;
		loop->first = left;
		loop->past = gimple_assign_lhs(min);
		loop->n = right;
		loop->to_done = no;
	} else if (gimple_cond_code(cond) == GE_EXPR) {
		gassign *sum = assignment(bb, right, PLUS_EXPR);
		if (!sum || gimple_assign_rhs1(sum) != left)
			return false;
		loop->first = left;
		loop->past = right;
		loop->n = NULL_TREE;
		loop->to_done = yes;
	} else {
		return false;
	}
	loop->part = bb;
	return true;
}

/* Only code after the mark was generated by ompexp. */
bool
computes_trip_count(const struct static_loop *loop, basic_block bb)
{
	for (gimple_stmt_iterator i = gsi_last_bb(bb); !gsi_end_p(i); gsi_prev(&i)) {
		if (gsi_stmt(i) == loop->loop_at)
			return false;
		if (is_thread_num(gsi_stmt(i)))
			return true;
	}
	return false;
}

bool
find_shape(struct static_loop *loop)
{
	basic_block body = gimple_bb(loop->body_at), start = gimple_bb(loop->loop_at);
	edge e;
	edge_iterator i;

	FOR_EACH_EDGE(e, i, body->preds)
	{
		if (dominated_by_p(CDI_DOMINATORS, e->src, body))
			continue;
		if (loop->to_body || (e->flags & EDGE_COMPLEX))
			return false;
		loop->to_body = e;
	}
	if (!loop->to_body)
		return false;
	for (basic_block bb = loop->to_body->src; bb && !loop->entry;
	     bb = get_immediate_dominator(CDI_DOMINATORS, bb)) {
		if (!loop->part)
			reads_part(loop, bb);
		if (loop->part && computes_trip_count(loop, bb))
			loop->entry = bb;
		if (bb == start)
			break;
	}
	if (!loop->entry || !loop->part || (loop->to_done->flags & EDGE_COMPLEX))
		return false;
	if (!loop->n) {
		gassign *rest = assignment(loop->entry, NULL_TREE, TRUNC_MOD_EXPR);
		if (!rest)
			return false;
		loop->n = gimple_assign_rhs1(rest);
	}
	return is_narrow(loop->first) && is_narrow(loop->past) && is_narrow(loop->n);
}

/* Type of the function called for each chunk. */
tree
chunk_function_type(void)
{
	return build_function_type_list(void_type_node, uint64_type_node, uint64_type_node,
	                                NULL_TREE);
}

tree
hook_type(void)
{
	return build_function_type_list(build_pointer_type(chunk_function_type()), uint64_type_node,
	                                uint64_type_node, uint64_type_node, uint64_type_node,
	                                uint32_type_node, NULL_TREE);
}

/* The hook's address, NULL when no recorder defines it. In a program at a fixed address the linker
 * would resolve a plain weak symbol to NULL permanently; a load through the global offset table is
 * left to the dynamic linker. */
gimple *
load_hook(tree to)
{
#if defined(__x86_64__)
	if (POINTER_SIZE == 64) {
		static const char text[] =
		    ".weak\t" HOOK "\n\t"
		    "{movq\t" HOOK "@GOTPCREL(%%rip), %0|mov\t%0, QWORD PTR " HOOK
		    "@GOTPCREL[rip]}";
		tree constraint = build_tree_list(NULL_TREE, build_string(3, "=r"));
		vec<tree, va_gc> *outputs = NULL;
		vec_safe_push(outputs, build_tree_list(constraint, to));
		return gimple_build_asm_vec(ggc_strdup(text), NULL, outputs, NULL, NULL);
	}
#elif defined(__aarch64__)
	static const char text[] = ".weak\t" HOOK "\n\t"
				   "adrp\t%0, :got:" HOOK "\n\tldr\t%0, [%0, :got_lo12:" HOOK "]";
	tree constraint = build_tree_list(NULL_TREE, build_string(3, "=r"));
	vec<tree, va_gc> *outputs = NULL;
	vec_safe_push(outputs, build_tree_list(constraint, to));
	return gimple_build_asm_vec(ggc_strdup(text), NULL, outputs, NULL, NULL);
#endif
	tree decl = build_fn_decl(HOOK, hook_type());
	DECL_WEAK(decl) = 1;
	return gimple_build_assign(to, build_fold_addr_expr(decl));
}

/* Inserts a block on an edge that runs if `pointer` is not NULL. Returns the block, which is
 * empty. */
basic_block
guarded(edge e, tree pointer, gimple *load)
{
	basic_block ask = split_edge(e);
	edge through = single_succ_edge(ask);
	basic_block after = through->dest;
	basic_block then = split_edge(through);
	gimple_stmt_iterator in = gsi_start_bb(ask);

	if (load)
		gsi_insert_after(&in, load, GSI_NEW_STMT);
	gsi_insert_after(&in,
	                 gimple_build_cond(NE_EXPR, pointer, build_int_cst(TREE_TYPE(pointer), 0),
	                                   NULL_TREE, NULL_TREE),
	                 GSI_NEW_STMT);
	edge yes = single_succ_edge(ask);
	yes->flags = (yes->flags & ~EDGE_FALLTHRU) | EDGE_TRUE_VALUE;
	yes->probability = profile_probability::unlikely();
	edge no = make_edge(ask, after, EDGE_FALSE_VALUE);
	no->probability = profile_probability::unlikely().invert();
	return then;
}

void
put(basic_block bb, gimple_seq seq)
{
	gimple_stmt_iterator in = gsi_last_bb(bb);
	gsi_insert_seq_after(&in, seq, GSI_NEW_STMT);
}

void
put_chunk_call(basic_block bb, tree on, tree first, tree past, location_t where)
{
	gimple_seq seq = NULL;
	tree first_value = wide(&seq, first, where);
	tree past_value = wide(&seq, past, where);
	gcall *call = gimple_build_call_from_tree(
	    build_call_nary(void_type_node, on, 2, first_value, past_value),
	    build_pointer_type(chunk_function_type()));
	gimple_set_location(call, where);
	gimple_seq_add_stmt(&seq, call);
	put(bb, seq);
}

void
put_clear(gimple_stmt_iterator *at, tree on)
{
	gsi_insert_before(at, gimple_build_assign(on, build_int_cst(TREE_TYPE(on), 0)),
	                  GSI_SAME_STMT);
}

void
put_begin_call(const struct static_loop *loop, tree on)
{
	gcall *mark = loop->loop_at;
	location_t where = gimple_location(mark);
	tree type = build_pointer_type(hook_type());
	tree hook = create_tmp_var(type, "winnow_hook");
	gimple *last = last_statement(loop->entry);
	gimple_stmt_iterator end = gsi_last_bb(loop->entry);
	gimple_seq seq = NULL;

	if (last && stmt_ends_bb_p(last) && gimple_code(last) == GIMPLE_COND)
		gsi_prev(&end);
	edge e = split_block(loop->entry, gsi_end_p(end) ? NULL : gsi_stmt(end));
	basic_block then = guarded(e, hook, load_hook(hook));
	tree n = wide(&seq, loop->n, where);
	int flags = (int)tree_to_shwi(gimple_call_arg(mark, 4));
	flags |= TYPE_UNSIGNED(TREE_TYPE(loop->n)) ? 0 : LOOP_SIGNED_COUNT;
	gcall *call = gimple_build_call_from_tree(
	    build_call_nary(TREE_TYPE(on), hook, 5, gimple_call_arg(mark, 1),
	                    gimple_call_arg(mark, 2), n, gimple_call_arg(mark, 3),
	                    build_int_cst(uint32_type_node, flags)),
	    type);
	gimple_call_set_lhs(call, on);
	gimple_set_location(call, where);
	gimple_seq_add_stmt(&seq, call);
	put(then, seq);
}

void
hook_loop(function *fun, const struct static_loop *loop)
{
	location_t where = gimple_location(loop->loop_at);
	tree on = create_tmp_var(build_pointer_type(chunk_function_type()), ON);
	basic_block done = loop->to_done->dest;

	put_chunk_call(guarded(loop->to_body, on, NULL), on, loop->first, loop->past, where);
	/* Where other paths join, no chunk has begun. */
	basic_block then = guarded(split_block_after_labels(done), on, NULL);
	tree zero = build_zero_cst(uint64_type_node);
	put_chunk_call(then, on, zero, zero, where);
	gimple_seq clear = NULL;
	gimple_seq_add_stmt(&clear, gimple_build_assign(on, build_int_cst(TREE_TYPE(on), 0)));
	put(then, clear);
	put_begin_call(loop, on);
	gimple_stmt_iterator at = gsi_for_stmt(loop->loop_at);
	put_clear(&at, on);
	clear = NULL;
	gimple_seq_add_stmt(&clear, gimple_build_assign(on, build_int_cst(TREE_TYPE(on), 0)));
	gsi_insert_seq_on_edge_immediate(single_succ_edge(ENTRY_BLOCK_PTR_FOR_FN(fun)), clear);
}

const pass_data hook_data = {
    GIMPLE_PASS, "winnow_hook", OPTGROUP_OMP, TV_NONE, PROP_gimple_any, 0, 0, 0, 0};

class hook_pass : public gimple_opt_pass
{
      public:
	explicit hook_pass(gcc::context *context) : gimple_opt_pass(hook_data, context)
	{
	}
	bool
	gate(function *) final override
	{
		return flag_openmp != 0;
	}
	unsigned int execute(function *fun) final override;
};

struct static_loop *
loop_of(vec<static_loop> &loops, gcall *mark, vec<int> &numbers)
{
	int number = (int)tree_to_shwi(gimple_call_arg(mark, 0));
	for (unsigned i = 0; i < numbers.length(); i++)
		if (numbers[i] == number)
			return &loops[i];
	static_loop none = {};
	numbers.safe_push(number);
	loops.safe_push(none);
	return &loops[loops.length() - 1];
}

void
take_out(gcall *mark)
{
	if (!mark)
		return;
	gimple_stmt_iterator at = gsi_for_stmt(mark);
	gsi_remove(&at, true);
}

/* Code for devices has no recorder. */
bool
is_for_devices(tree decl)
{
	return lookup_attribute("omp declare target", DECL_ATTRIBUTES(decl)) ||
	       lookup_attribute("omp target entrypoint", DECL_ATTRIBUTES(decl));
}

unsigned int
hook_pass::execute(function *fun)
{
	auto_vec<static_loop> loops;
	auto_vec<int> numbers;
	basic_block bb;
	bool is_changed = false;

	FOR_EACH_BB_FN(bb, fun)
	for (gimple_stmt_iterator i = gsi_start_bb(bb); !gsi_end_p(i); gsi_next(&i)) {
		if (is_call_to(gsi_stmt(i), loop_mark)) {
			gcall *mark = as_a<gcall *>(gsi_stmt(i));
			loop_of(loops, mark, numbers)->loop_at = mark;
		} else if (is_call_to(gsi_stmt(i), body_mark)) {
			gcall *mark = as_a<gcall *>(gsi_stmt(i));
			loop_of(loops, mark, numbers)->body_at = mark;
		}
	}
	if (loops.is_empty())
		return 0;
	for (static_loop &loop : loops) {
		calculate_dominance_info(CDI_DOMINATORS);
		bool is_found = loop.loop_at && loop.body_at && !seen_error() &&
		                !is_for_devices(fun->decl) && find_shape(&loop);
		if (is_verbose && loop.loop_at)
			inform(gimple_location(loop.loop_at), "winnow: static loop %s",
			       is_found ? "reports its chunks" : "left alone");
		if (is_found)
			hook_loop(fun, &loop);
		is_changed |= is_found;
		n_left -= is_found;
		take_out(loop.loop_at);
		take_out(loop.body_at);
		free_dominance_info(CDI_DOMINATORS);
	}
	if (is_changed && loops_for_fn(fun))
		loops_state_set(fun, LOOPS_NEED_FIXUP);
	cgraph_edge::rebuild_edges();
	return 0;
}

/* --- loop versioning ---------------------------------------------------------------------- */

#define COPY_INSNS_MAX 400 /* in a longer body the test costs nothing measurable */

/* Can the loop be duplicated, and is it worth it? */
bool
is_worth_copy(class loop *chunks)
{
	basic_block *blocks = get_loop_body(chunks);
	int n_insns = 0;
	bool is_good = can_copy_bbs_p(blocks, chunks->num_nodes);

	for (unsigned i = 0; i < chunks->num_nodes && is_good; i++) {
		edge e;
		edge_iterator k;
		FOR_EACH_EDGE(e, k, blocks[i]->succs)
		is_good &= !(e->flags & EDGE_ABNORMAL);
		/* both copies would share the lane count of a simd loop */
		is_good &= !blocks[i]->loop_father->simduid;
		for (gimple_stmt_iterator g = gsi_start_bb(blocks[i]); !gsi_end_p(g);
		     gsi_next(&g)) {
			glabel *label = dyn_cast<glabel *>(gsi_stmt(g));
			if (label && (FORCED_LABEL(gimple_label_label(label)) ||
			              DECL_NONLOCAL(gimple_label_label(label))))
				is_good = false;
			is_good &= gimple_code(gsi_stmt(g)) != GIMPLE_ASM;
			n_insns += estimate_num_insns(gsi_stmt(g), &eni_size_weights);
		}
	}
	free(blocks);
	return is_good && n_insns <= COPY_INSNS_MAX;
}

/* The pointer tested by the block, if it is the address of the function called for each chunk. */
tree
inlined_query(basic_block bb)
{
	gimple *last = last_statement(bb);
	gcond *cond = last ? dyn_cast<gcond *>(last) : NULL;
	tree on = cond ? gimple_cond_lhs(cond) : NULL_TREE;

	if (!on || TREE_CODE(on) != SSA_NAME || !SSA_NAME_IDENTIFIER(on) ||
	    strncmp(IDENTIFIER_POINTER(SSA_NAME_IDENTIFIER(on)), ON ".", sizeof ON) != 0)
		return NULL_TREE;
	return on;
}

/* Tests once, before the loop over chunks, and duplicates the loop for when there is no recorder;
 * later passes know the result of the test in the copy. */
bool
split_loop(basic_block asks, tree on)
{
	class loop *chunks = NULL;
	basic_block from = gimple_bb(SSA_NAME_DEF_STMT(on)), queried_once = NULL;

	for (class loop *l = asks->loop_father; loop_outer(l); l = loop_outer(l))
		if (!from || !flow_bb_inside_loop_p(l, from))
			chunks = l;
	if (!chunks || !is_worth_copy(chunks))
		return false;
	profile_probability is_on = profile_probability::unlikely();
	initialize_original_copy_tables();
	bool is_split =
	    loop_version(chunks,
	                 build2(NE_EXPR, boolean_type_node, on, build_int_cst(TREE_TYPE(on), 0)),
	                 &queried_once, is_on, is_on.invert(), is_on, is_on.invert(), true) != NULL;
	free_original_copy_tables();
	return is_split;
}

const pass_data split_data = {
    GIMPLE_PASS, "winnow_split", OPTGROUP_LOOP, TV_NONE, PROP_cfg | PROP_ssa, 0, 0, 0, 0};

/* In the middle of the optimisers: calls in the loop have been inlined, and loops are not rewritten
 * yet. */
class split_pass : public gimple_opt_pass
{
      public:
	explicit split_pass(gcc::context *context) : gimple_opt_pass(split_data, context)
	{
	}
	bool
	gate(function *fun) final override
	{
		return flag_openmp && optimize && !optimize_function_for_size_p(fun);
	}
	unsigned int execute(function *fun) final override;
};

unsigned int
split_pass::execute(function *fun)
{
	auto_vec<basic_block> asking;
	basic_block bb;
	bool is_changed = false;

	FOR_EACH_BB_FN(bb, fun)
	if (inlined_query(bb))
		asking.safe_push(bb);
	if (asking.is_empty())
		return 0;
	loop_optimizer_init(LOOPS_NORMAL | LOOPS_HAVE_RECORDED_EXITS);
	for (basic_block one : asking)
		if (inlined_query(one))
			is_changed |= split_loop(one, inlined_query(one));
	loop_optimizer_finalize();
	return is_changed ? TODO_update_ssa | TODO_cleanup_cfg : 0;
}

void
add_pass(const char *plugin, opt_pass *pass, const char *before)
{
	struct register_pass_info info = {pass, before, 1, PASS_POS_INSERT_BEFORE};
	register_callback(plugin, PLUGIN_PASS_MANAGER_SETUP, NULL, &info);
}

void
make_marks(void *, void *)
{
	loop_mark = make_mark("__winnow_loop_mark");
	body_mark = make_mark("__winnow_body_mark");
}

/* Marks the unit for the report: all its static loops record their chunks. Uses no memory. With
 * -flto, units are combined by a gcc that has not seen the loops, so the mark is not set. */
void
vouch(void *, void *)
{
	if (n_left == 0 && !in_lto_p && asm_out_file && !seen_error())
		fputs("\twinnow_static_told = 0\n", asm_out_file);
}

void
keep_marks(void *, void *)
{
	ggc_mark(loop_mark);
	ggc_mark(body_mark);
}

} /* namespace */

int
plugin_init(struct plugin_name_args *plugin, struct plugin_gcc_version *version)
{
	if (!plugin_default_version_check(version, &gcc_version)) {
		error("%s is for gcc %s", plugin->base_name, gcc_version.basever);
		return 1;
	}
	for (int i = 0; i < plugin->argc; i++)
		is_verbose |= strcmp(plugin->argv[i].key, "verbose") == 0;
	register_callback(plugin->base_name, PLUGIN_START_UNIT, make_marks, NULL);
	register_callback(plugin->base_name, PLUGIN_GGC_MARKING, keep_marks, NULL);
	register_callback(plugin->base_name, PLUGIN_FINISH_UNIT, vouch, NULL);
	add_pass(plugin->base_name, new mark_pass(g), "ompexp");
	/* the first pass that also runs on outlined functions */
	add_pass(plugin->base_name, new hook_pass(g), "fixup_cfg");
	add_pass(plugin->base_name, new split_pass(g), "backprop");
	return 0;
}
