"""Small PNG and JPEG files of all kinds with the bytes that Pillow reads of them, and pictures that Pillow and JAX resized,
as pictures.inc.hpp. Run: python pictures.py"""
import io
import struct
import zlib

import jax
import jax.numpy as jnp
import numpy as np
import PIL
from PIL import Image, features

from writer import head, quoted, write

versions = {"Pillow": PIL.__version__, "libjpeg-turbo": features.version("libjpeg_turbo"), "jax": jax.__version__}
ROWS, COLUMNS = 7, 11


def bytes_of(rows, columns, channels):
    """test/unit/data/resize.cpp repeats it: neither flat nor periodic along a line."""
    i = np.arange(rows * columns * channels)
    return ((i * i * 7 + i * 37 + 11) % 251).astype(np.uint8).reshape(rows, columns, channels)


def smooth(channels):
    y, x, c = np.mgrid[0:ROWS, 0:COLUMNS, 0:channels]
    return (128 + 100 * np.sin(x / 3 + c) * np.cos(y / 4 + 2 * c)).astype(np.uint8)


def saved(image, kind, **options):
    f = io.BytesIO()
    image.save(f, kind, **options)
    return f.getvalue()


def chunk(name, content):
    return struct.pack(">I", len(content)) + name + content + struct.pack(">I", zlib.crc32(name + content))


def png(rows, columns, depth, color, interlaced, lines):
    """A PNG of lines that are packed already: what Pillow does not write."""
    header = struct.pack(">IIBBBBB", columns, rows, depth, color, 0, 0, interlaced)
    data = b"".join(b"\0" + line for line in lines)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(data)) + chunk(b"IEND", b"")


def interlaced(x):
    lines = []
    for top, left, down, right in ((0, 0, 8, 8), (0, 4, 8, 8), (4, 0, 8, 4), (0, 2, 4, 4), (2, 0, 4, 2), (0, 1, 2, 2), (1, 0, 2, 1)):
        part = x[top::down, left::right]
        if part.size:
            lines += [line.tobytes() for line in part]
    return png(*x.shape[:2], 8, 2, 1, lines)


colors, gray = bytes_of(ROWS, COLUMNS, 3), bytes_of(ROWS, COLUMNS, 1)[:, :, 0]
rgb, grey = Image.fromarray(colors), Image.fromarray(gray)
deep = (np.arange(ROWS * COLUMNS * 3) * 263 % 65536).astype(">u2").reshape(ROWS, COLUMNS, 3)
soft = Image.fromarray(smooth(3))
files = {
    "colors.png": saved(rgb, "PNG"),
    "gray.png": saved(grey, "PNG"),
    "bits.png": saved(grey.convert("1"), "PNG"),
    "palette.png": saved(rgb.quantize(9), "PNG"),
    "alpha.png": saved(Image.fromarray(bytes_of(ROWS, COLUMNS, 4)), "PNG"),
    "gray_alpha.png": saved(Image.fromarray(bytes_of(ROWS, COLUMNS, 2)), "PNG"),
    "interlaced.png": interlaced(colors),
    "deep.png": png(ROWS, COLUMNS, 16, 2, 0, [line.tobytes() for line in deep]),
    "full.jpg": saved(soft, "JPEG", quality=95, subsampling=0),
    "halved.jpg": saved(soft, "JPEG", quality=80, subsampling=2),
    "progressive.jpg": saved(soft, "JPEG", quality=80, progressive=True),
    "gray.jpg": saved(Image.fromarray(smooth(1)[:, :, 0]), "JPEG", quality=90),
    "inks.jpg": saved(Image.fromarray(smooth(4), "CMYK"), "JPEG", quality=95),
}


def read(name):
    if name == "deep.png":  # Pillow cuts 16 bits off, and to round them is better
        return np.round(deep / 257).astype(np.uint8)
    image = Image.open(io.BytesIO(files[name]))
    kind = "L" if image.mode in ("1", "L", "LA") else "RGB"
    x = np.asarray(image.convert(kind))
    return x[:, :, None] if x.ndim == 2 else x


def as_hex(x):
    return quoted(np.ascontiguousarray(x, np.uint8).tobytes().hex() if isinstance(x, np.ndarray) else x.hex())


text = head("pictures.py", versions, "Pictures as files, what Pillow reads of them, and what it and JAX make of others.")
text += "namespace reference {\n\n"
text += "struct picture_file {\n  char const *name, *file;\n  int rows, columns, channels;\n  char const* bytes;\n};\n"
text += "inline constexpr picture_file pictures[] = {\n"
for name, file in files.items():
    x = read(name)
    text += f"    {{{quoted(name)}, {as_hex(file)}, {x.shape[0]}, {x.shape[1]}, {x.shape[2]}, {as_hex(x)}}},\n"
text += "};\n\n// colors.png and the colours of halved.jpg as gray\n"
text += f"inline constexpr char const* grays[] = {{{as_hex(np.asarray(rgb.convert('L')))},\n    " \
        f"{as_hex(np.asarray(Image.open(io.BytesIO(files['halved.jpg'])).convert('L')))}}};\n\n"
text += "// of bytes_of(7, 11, 3) and, the last two, of bytes_of(7, 11, 1): Pillow's BILINEAR, JAX's linear\n"
text += "struct resized {\n  int rows, columns;\n  char const *pillow, *jax;\n};\ninline constexpr resized resizes[] = {\n"
for rows, columns, channels in ((5, 4, 3), (20, 13, 3), (7, 4, 3), (3, 11, 3), (1, 1, 3), (3, 30, 3), (2, 5, 1), (14, 22, 1)):
    x = bytes_of(ROWS, COLUMNS, channels)
    image = Image.fromarray(x if channels == 3 else x[:, :, 0])
    # Along the lines first, as Pillow did before 13, which takes the other axis first where that is less work.
    lines = image.resize((columns, ROWS), Image.Resampling.BILINEAR)
    pillow = np.asarray(lines.resize((columns, rows), Image.Resampling.BILINEAR))
    by_jax = np.asarray(jax.image.resize(x.astype(jnp.float32), (rows, columns, channels), "linear"))
    assert np.abs(pillow.reshape(by_jax.shape).astype(float) - by_jax).max() < 1.2
    text += f"    {{{rows}, {columns}, {as_hex(pillow)},\n     {as_hex(np.round(by_jax).astype(np.uint8))}}},\n"
text += "};\n\n}  // namespace reference\n"
write("pictures.inc.hpp", text)
