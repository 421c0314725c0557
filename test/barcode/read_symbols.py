"""Reads symbols from pictures: as printed, and as in a photo: turned, in perspective, blurred, grey. Argument: a file of JSON lines."""
import json
import sys

import zxingcpp
from PIL import Image, ImageFilter

PIXELS = 6
MARGIN = 2


def draw(size, modules):
    picture = Image.new("L", (size + 2 * MARGIN, size + 2 * MARGIN), 255)
    for at, module in enumerate(modules):
        if module == "1":
            picture.putpixel((MARGIN + at % size, MARGIN + at // size), 0)
    side = (size + 2 * MARGIN) * PIXELS
    return picture.resize((side, side), Image.Resampling.NEAREST)


def photograph(picture):
    side = picture.width
    page = Image.new("L", (2 * side, 2 * side), 235)
    page.paste(picture.point(lambda tone: 40 + tone * 190 // 255), (side // 2, side // 2))
    turned = page.rotate(17, Image.Resampling.BICUBIC, fillcolor=235)
    tilted = turned.transform(
        turned.size,
        Image.Transform.PERSPECTIVE,
        (1.0, 0.06, 0, 0.04, 1.0, 0, 0.06 / side, 0.04 / side),
        Image.Resampling.BICUBIC,
        fillcolor=235,
    )
    return tilted.filter(ImageFilter.GaussianBlur(1.2))


def read(picture):
    found = zxingcpp.read_barcodes(picture, formats=zxingcpp.BarcodeFormat.Aztec)
    return found[0].bytes.hex() if len(found) == 1 else f"{len(found)} symbols"


with open(sys.argv[1], encoding="ascii") as lines:
    for line in lines:
        symbol = json.loads(line)
        picture = draw(symbol["size"], symbol["modules"])
        print(json.dumps({"printed": read(picture), "photo": read(photograph(picture))}))
