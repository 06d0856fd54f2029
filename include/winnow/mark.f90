! SPDX-License-Identifier: MIT
!
! mark.f90 - annotations for Fortran programs: named regions, labels of grains, pause and resume.
! Compile it with the program; it needs no library (before glibc 2.34: -ldl). In a program that is
! not being recorded each call is a load and a branch.
!
!     use winnow_mark
!     call winnow_region_begin("read input")
!     ...
!     call winnow_region_end()
!
! include/winnow/mark.h documents each of these. Trailing blanks of a name are ignored.
module winnow_mark
  use, intrinsic :: iso_c_binding
  implicit none
  private
  public :: winnow_is_present, winnow_region_begin, winnow_region_end, winnow_label
  public :: winnow_pause, winnow_resume, winnow_control

  ! struct winnow_marks of mark.h
  type, bind(c) :: marks_t
    integer(c_size_t) :: size_bytes
    type(c_funptr) :: name, region_begin, region_end, label, pause, resume, control
  end type

  abstract interface
    function name_fn(text) bind(c)
      import :: c_ptr, c_char
      character(kind=c_char), intent(in) :: text(*)
      type(c_ptr) :: name_fn
    end function
    subroutine named_fn(name) bind(c)
      import :: c_ptr
      type(c_ptr), value :: name
    end subroutine
    subroutine plain_fn() bind(c)
    end subroutine
    function control_fn(command, modifier, arg) bind(c)
      import :: c_int, c_ptr
      integer(c_int), value :: command, modifier
      type(c_ptr), value :: arg
      integer(c_int) :: control_fn
    end function
  end interface

  interface
    function dlsym(handle, symbol) bind(c, name="dlsym")
      import :: c_ptr, c_char
      type(c_ptr), value :: handle
      character(kind=c_char), intent(in) :: symbol(*)
      type(c_ptr) :: dlsym
    end function
  end interface

  ! Fortran has no weak symbols, so the recorder is looked up once, at the first call. Several
  ! threads may do so at once; they find the same one.
  integer, parameter :: not_asked = 0, is_absent = 1, is_found = 2
  integer, volatile, save :: state = not_asked
  type(marks_t), pointer, volatile, save :: recorder => null()

contains

  ! Is there a recorder in this process?
  logical function winnow_is_present()
    type(c_ptr) :: found
    if (state == not_asked) then
      found = dlsym(c_null_ptr, "winnow_marks_1" // c_null_char)
      if (c_associated(found)) then
        call c_f_pointer(found, recorder)
        state = is_found
      else
        state = is_absent
      end if
    end if
    winnow_is_present = state == is_found
  end function

  subroutine winnow_region_begin(text)
    character(*), intent(in) :: text
    if (winnow_is_present()) call with_name(recorder%region_begin, text)
  end subroutine

  subroutine winnow_region_end()
    if (winnow_is_present()) call plainly(recorder%region_end)
  end subroutine

  subroutine winnow_label(text)
    character(*), intent(in) :: text
    if (winnow_is_present()) call with_name(recorder%label, text)
  end subroutine

  subroutine winnow_pause()
    if (winnow_is_present()) call plainly(recorder%pause)
  end subroutine

  subroutine winnow_resume()
    if (winnow_is_present()) call plainly(recorder%resume)
  end subroutine

  ! As omp_control_tool(); without `arg` the value of a command is `modifier`.
  integer(c_int) function winnow_control(command, modifier, arg)
    integer, intent(in) :: command, modifier
    type(c_ptr), intent(in), optional :: arg
    procedure(control_fn), pointer :: control
    type(c_ptr) :: value
    winnow_control = -2
    if (.not. winnow_is_present()) return
    value = c_null_ptr
    if (present(arg)) value = arg
    call c_f_procpointer(recorder%control, control)
    winnow_control = control(int(command, c_int), int(modifier, c_int), value)
  end function

  subroutine with_name(which, text)
    type(c_funptr), intent(in) :: which
    character(*), intent(in) :: text
    procedure(name_fn), pointer :: name
    procedure(named_fn), pointer :: act
    call c_f_procpointer(recorder%name, name)
    call c_f_procpointer(which, act)
    call act(name(trim(text) // c_null_char))
  end subroutine

  subroutine plainly(which)
    type(c_funptr), intent(in) :: which
    procedure(plain_fn), pointer :: act
    call c_f_procpointer(which, act)
    call act()
  end subroutine
end module
