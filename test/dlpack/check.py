# SPDX-License-Identifier: BSD-3-Clause
"""Tensors of NumPy, and of JAX and PyTorch where they are installed, through a library that etna compiled (library.cpp):
the same numbers, the same addresses, and memory that lives until its last reader is gone. Ends with 77 without NumPy.

    python3 test/dlpack/check.py LIBRARY
"""
import ctypes
import gc
import sys
import weakref

try:
    import numpy as np
except ImportError:
    print(f"dlpack: {sys.executable} has no NumPy: skipped (give another Python by -DETNA_PYTHON=...)")
    sys.exit(77)

library = ctypes.CDLL(sys.argv[1])
library.etna_share.restype = ctypes.c_void_p
capsule = ctypes.pythonapi
capsule.PyCapsule_GetPointer.restype, capsule.PyCapsule_GetPointer.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
capsule.PyCapsule_SetName.restype, capsule.PyCapsule_SetName.argtypes = ctypes.c_int, [ctypes.py_object, ctypes.c_char_p]
capsule.PyCapsule_New.restype, capsule.PyCapsule_New.argtypes = ctypes.py_object, [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
NAMES = {False: (b"dltensor", b"used_dltensor"), True: (b"dltensor_versioned", b"used_dltensor_versioned")}


class Error(Exception):
    pass


class Tensor:
    """What from_dlpack of NumPy, JAX and PyTorch asks for; it is asked once."""

    def __init__(self, pointer, versioned):
        self.pointer, self.versioned = pointer, versioned

    def __dlpack__(self, **_):
        return capsule.PyCapsule_New(self.pointer, NAMES[self.versioned][0], None)

    def __dlpack_device__(self):
        return (1, 0)


def given(function, x, versioned, *more):
    """Calls a function of the library with the tensor in x's capsule, which is used up unless that is an error."""
    c = x.__dlpack__(max_version=(1, 0)) if versioned else x.__dlpack__()
    live, used = NAMES[versioned]
    said = ctypes.create_string_buffer(400)
    number = function(ctypes.c_void_p(capsule.PyCapsule_GetPointer(c, live)), *more, said, ctypes.c_size_t(len(said)))
    if number:
        raise Error(said.value.decode())
    capsule.PyCapsule_SetName(c, used)


def twice(x, versioned=False, suffix=""):
    """The tensor 2 x, and the address at which etna read x."""
    out, read = ctypes.c_void_p(), ctypes.c_void_p()
    function = getattr(library, "etna_twice" + ("_versioned" if versioned else suffix))
    given(function, x, versioned, ctypes.byref(out), ctypes.byref(read))
    return Tensor(out.value, versioned), read.value


def data_of(tensor):
    """The address in the tensor's struct."""
    return ctypes.c_void_p.from_address(tensor.pointer + (32 if tensor.versioned else 0)).value


def numbers(n=100):
    return np.arange(8 * n, dtype=np.float32).reshape(n, 8)


def check_numpy(versioned):
    x = numbers()
    y, read = twice(x, versioned)
    assert read == x.ctypes.data, "the argument was copied"
    at = data_of(y)
    z = np.from_dlpack(y)
    assert z.ctypes.data == at, "the result was copied"
    assert z.dtype == np.float32 and np.array_equal(z, 2 * x) and (not versioned or z.flags.writeable)
    other, _ = twice(x, versioned)
    assert data_of(other) != at, "memory that NumPy reads was used again"
    np.from_dlpack(other)
    del z
    gc.collect()
    more = [twice(x, versioned)[0] for _ in range(2)]
    assert at in [data_of(t) for t in more], "memory that NumPy let go did not come back"
    for t in more:
        np.from_dlpack(t)
    for view in (x[::2], x[::-1], x[:, ::-1], numbers(8).T, np.asfortranarray(x), np.broadcast_to(x[3], (5, 8)), x[:0]):
        if not versioned and not view.flags.writeable:
            continue  # NumPy does not give these away without saying so
        y, read = twice(view, versioned)
        assert np.array_equal(np.from_dlpack(y), 2 * view)
    y, read = twice(x[40:], versioned)
    assert read == x.ctypes.data + 40 * 32, "a part was copied"
    assert np.array_equal(np.from_dlpack(y), 2 * x[40:])


def check_lifetime():
    x = numbers()
    alive, at = weakref.ref(x), x.ctypes.data
    given(library.etna_keep, x, False)
    del x
    gc.collect()
    assert alive() is not None, "NumPy's array is gone while etna reads it"
    shared = np.from_dlpack(Tensor(library.etna_share(), True))
    assert shared.ctypes.data == at and not shared.flags.writeable
    library.etna_drop()
    gc.collect()
    assert alive() is not None and shared[3, 2] == 26, "NumPy's array is gone while NumPy reads it through etna"
    del shared
    gc.collect()
    assert alive() is None, "NumPy's array was not given back"
    x = numbers()
    references = sys.getrefcount(x)
    for wrong, number in ((x.astype(np.float64), "E140"), (x[:, :7], "E112"), (x[0], "E112"), (x.astype(np.int32), "E140")):
        try:
            given(library.etna_keep, wrong, False)
        except Error as e:
            assert str(e).startswith(number), e
            print("  " + str(e))
        else:
            raise AssertionError(f"{number} expected")
    del wrong
    gc.collect()
    assert sys.getrefcount(x) == references, "a refused tensor was not given back"


def check_halves():
    x = (numbers() / 8).astype(np.float16)
    y, read = twice(x, suffix="_float16")
    assert read == x.ctypes.data, "the argument was copied"
    z = np.from_dlpack(y)
    assert z.dtype == np.float16 and np.array_equal(z, 2 * x)


def check_jax():
    import jax

    x = (jax.numpy.asarray(numbers()) / 8).astype(jax.numpy.bfloat16)
    y, read = twice(x, suffix="_bfloat16")
    assert read == x.unsafe_buffer_pointer(), "JAX's array of bfloat16 was copied"
    z = jax.dlpack.from_dlpack(y)
    assert z.dtype == jax.numpy.bfloat16 and bool((z == 2 * x).all())
    x = jax.numpy.asarray(numbers() + 0)
    y, read = twice(x)
    assert read == x.unsafe_buffer_pointer(), "JAX's array was copied"
    at = data_of(y)
    z = jax.dlpack.from_dlpack(y)
    assert z.unsafe_buffer_pointer() == at, "the result was copied"
    assert bool((z == 2 * x).all())


def check_torch():
    import torch

    x = torch.arange(800, dtype=torch.float32).reshape(100, 8)
    for versioned in (False, True):
        try:
            y, read = twice(x, versioned)
        except TypeError:
            continue  # a PyTorch that knows no versions
        assert read == x.data_ptr(), "PyTorch's tensor was copied"
        at = data_of(y)
        z = torch.from_dlpack(y)
        assert z.data_ptr() == at, "the result was copied"
        assert torch.equal(z, 2 * x)
        z += 1  # its own now
    y, read = twice(x.T.contiguous().T)  # columns first
    assert torch.equal(torch.from_dlpack(y), 2 * x)


print(f"numpy {np.__version__}")
for version in (False, True):
    if not version or tuple(int(v) for v in np.__version__.split(".")[:2]) >= (2, 1):
        check_numpy(version)
check_lifetime()
check_halves()
for name, check in (("jax", check_jax), ("torch", check_torch)):
    try:
        module = __import__(name)
    except ImportError:
        print(f"no {name} here: left out")
        continue
    check()
    print(f"{name} {module.__version__}")
print("addresses, numbers and lifetimes are right")
