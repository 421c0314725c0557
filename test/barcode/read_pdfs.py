"""
Reads PDF files as others do: text, structure, faults by PDF/UA, and symbols from a print at 150 dpi and from a photo. Argument: a file
of JSON with their paths. Prints a line of JSON for each.
"""
import ctypes
import json
import re
import sys

import page as validation
import pikepdf
import pypdfium2
import pypdfium2.raw as pdfium
import zxingcpp
from photograph import photograph

DPI = 150
MM = 25.4
# Phones take photos of more than a print's resolution; this is still a poor one.
PHOTO_DPI = 200
# Pixels around the symbol that are on the photo.
MARGIN = 60


def wide_text(function, *args):
    """A text of pdfium: the first call tells its length in bytes."""
    length = function(*args, None, 0)
    buffer = ctypes.create_string_buffer(length)
    function(*args, ctypes.cast(buffer, function.argtypes[-2]), length)
    return buffer.raw[: max(length - 2, 0)].decode("utf-16-le")


def mark_names(item):
    marks = (pdfium.FPDFPageObj_GetMark(item, at) for at in range(pdfium.FPDFPageObj_CountMarks(item)))
    return [mark_name(mark) for mark in marks]


def mark_name(mark):
    length = ctypes.c_ulong()
    pdfium.FPDFPageObjMark_GetName(mark, None, 0, length)
    buffer = ctypes.create_string_buffer(length.value)
    pdfium.FPDFPageObjMark_GetName(mark, ctypes.cast(buffer, pdfium.FPDFPageObjMark_GetName.argtypes[1]), length.value, length)
    return buffer.raw[: length.value - 2].decode("utf-16-le")


def texts_of(sheet):
    """Texts by the number of their mark, and how many things belong neither to the structure nor to artifacts."""
    text_page = sheet.get_textpage()
    texts, loose = {}, 0
    for item in sheet.get_objects():
        number = pdfium.FPDFPageObj_GetMarkedContentID(item.raw)
        if number < 0 and "Artifact" not in mark_names(item.raw):
            loose += 1
        if number >= 0 and item.type == pdfium.FPDF_PAGEOBJ_TEXT:
            texts[number] = texts.get(number, "") + wide_text(pdfium.FPDFTextObj_GetText, item.raw, text_page.raw)
    return texts, loose


def walk(element, path, texts, found):
    path = f"{path}/{wide_text(pdfium.FPDF_StructElement_GetType, element)}"
    alternative = wide_text(pdfium.FPDF_StructElement_GetAltText, element)
    if alternative:
        found.append([path, alternative])
    for at in range(pdfium.FPDF_StructElement_CountChildren(element)):
        number = pdfium.FPDF_StructElement_GetChildMarkedContentID(element, at)
        child = pdfium.FPDF_StructElement_GetChildAtIndex(element, at)
        if number in texts:
            found.append([path, texts[number]])
        elif child:
            walk(child, path, texts, found)


def structure_of(sheet, texts):
    """Pairs of path and text, in the order of reading."""
    tree = pdfium.FPDF_StructTree_GetForPage(sheet.raw)
    found = []
    for at in range(pdfium.FPDF_StructTree_CountChildren(tree)):
        walk(pdfium.FPDF_StructTree_GetChildAtIndex(tree, at), "", texts, found)
    pdfium.FPDF_StructTree_Close(tree)
    return found


def symbol_of(sheet):
    picture = sheet.render(scale=DPI / 72).to_pil().convert("L")
    found = zxingcpp.read_barcodes(picture, formats=zxingcpp.BarcodeFormat.Aztec)
    if len(found) != 1:
        return None
    place = found[0].position
    left, top, right, bottom = place.top_left.x, place.top_left.y, place.bottom_right.x, place.bottom_right.y
    around = [side / DPI * PHOTO_DPI for side in (left - MARGIN, top - MARGIN, right + MARGIN, bottom + MARGIN)]
    photo = photograph(sheet.render(scale=PHOTO_DPI / 72).to_pil().convert("L").crop(around))
    photographed = zxingcpp.read_barcodes(photo, formats=zxingcpp.BarcodeFormat.Aztec)
    return {
        "printed": found[0].bytes.hex(),
        "photo": photographed[0].bytes.hex() if len(photographed) == 1 else f"{len(photographed)} symbols",
        "sideMm": (right - left) / DPI * MM,
        "quietMm": quiet_pixels(picture, (left, top, right, bottom)) / DPI * MM,
    }


def quiet_pixels(picture, box):
    """How far around the symbol everything is white."""
    left, top, right, bottom = box
    for margin in range(3, 200):
        edges = [
            (left - margin, top - margin, right + margin, top - margin + 1),
            (left - margin, bottom + margin, right + margin, bottom + margin + 1),
            (left - margin, top - margin, left - margin + 1, bottom + margin),
            (right + margin, top - margin, right + margin + 1, bottom + margin),
        ]
        if any(picture.crop(edge).getextrema()[0] < 250 for edge in edges):
            return margin - 1
    return 200


def single_ranges(match):
    """The same map without arrays, which ISO 32000 allows (9.10.3) and this version of the validator does not read."""
    codes = re.findall(rb"<([0-9a-f ]*)>", match.group(2))
    first = int(match.group(1), 16)
    lines = [b"<%04x> <%04x> <%s>\n" % (first + at, first + at, code) for at, code in enumerate(codes)]
    return b"%d beginbfrange\n%sendbfrange" % (len(lines), b"".join(lines))


def faults_of(path):
    document = pikepdf.open(path)
    for item in document.objects:
        if isinstance(item, pikepdf.Dictionary) and "/ToUnicode" in item:
            pattern = rb"1 beginbfrange\n<([0-9a-f]{4})> <[0-9a-f]{4}> \[(.*?)\]\nendbfrange"
            item.ToUnicode.write(re.sub(pattern, single_ranges, item.ToUnicode.read_bytes(), flags=re.S))
    copy = f"{path}.copy"
    document.save(copy)
    report = validation.validate_pdf(copy, profile="ua1")
    return [f"{fault.rule_id}: {fault.message}" for fault in report.failures]


def read(path):
    document = pypdfium2.PdfDocument(path)
    with pikepdf.open(path) as parsed:
        language = str(parsed.Root.Lang)
    pages = []
    for sheet in document:
        texts, loose = texts_of(sheet)
        text = sheet.get_textpage().get_text_range().replace("\r\n", "\n")
        pages.append({"text": text, "structure": structure_of(sheet, texts), "loose": loose, "symbol": symbol_of(sheet)})
    return {
        "title": document.get_metadata_value("Title"),
        "language": language,
        "pages": pages,
        "faults": faults_of(path),
    }


with open(sys.argv[1], encoding="utf-8") as file:
    for path in json.load(file):
        print(json.dumps(read(path)))
