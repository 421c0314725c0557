"""Reads symbols from pictures: as printed, and as in a photo: turned, in perspective, blurred, grey. Argument: a file of JSON lines."""
import json
import sys

import zxingcpp
from photograph import photograph
from PIL import Image

PIXELS = 6
MARGIN = 2


def draw(size, modules):
    picture = Image.new("L", (size + 2 * MARGIN, size + 2 * MARGIN), 255)
    for at, module in enumerate(modules):
        if module == "1":
            picture.putpixel((MARGIN + at % size, MARGIN + at // size), 0)
    side = (size + 2 * MARGIN) * PIXELS
    return picture.resize((side, side), Image.Resampling.NEAREST)


def read(picture):
    found = zxingcpp.read_barcodes(picture, formats=zxingcpp.BarcodeFormat.Aztec)
    return found[0].bytes.hex() if len(found) == 1 else f"{len(found)} symbols"


with open(sys.argv[1], encoding="ascii") as lines:
    for line in lines:
        symbol = json.loads(line)
        picture = draw(symbol["size"], symbol["modules"])
        print(json.dumps({"printed": read(picture), "photo": read(photograph(picture))}))
