"""Decodes tickets by the text of UIC's module. Arguments: the module, and a file with a line of hexadecimal digits for each."""
import json
import sys

import asn1tools


def plain(value):
    if isinstance(value, (bytes, bytearray)):
        return value.hex()
    if isinstance(value, tuple):
        return {value[0]: plain(value[1])}
    if isinstance(value, list):
        return [plain(item) for item in value]
    if isinstance(value, dict):
        return {name: plain(item) for name, item in value.items()}
    return value


module = asn1tools.compile_files(sys.argv[1], "uper")
with open(sys.argv[2], encoding="ascii") as lines:
    for line in lines:
        print(json.dumps(plain(module.decode("UicRailTicketData", bytes.fromhex(line)))))
