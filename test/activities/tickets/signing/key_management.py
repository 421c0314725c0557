"""AWS KMS as a server of moto. Argument: the port. Adds what moto lacks: `MessageType` DIGEST, where a key signs a digest as it is."""
import base64
import json
import sys

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, utils
from moto.kms.exceptions import ValidationException
from moto.kms.responses import KmsResponse
from moto.server import main

sign_raw = KmsResponse.sign


def sign(self):
    if self._get_param("MessageType") != "DIGEST":
        return sign_raw(self)
    key_id, algorithm = self._get_param("KeyId"), self._get_param("SigningAlgorithm")
    self._validate_key_id(key_id)
    key = self.kms_backend.describe_key(key_id)
    digest = self._get_param("Message")
    if len(digest) != hashes.SHA256.digest_size or algorithm not in key.signing_algorithms:
        raise ValidationException("Digest is invalid length for algorithm")
    signature = key.private_key.private_key.sign(digest, ec.ECDSA(utils.Prehashed(hashes.SHA256())))
    answer = {"KeyId": key.arn, "Signature": base64.b64encode(signature).decode(), "SigningAlgorithm": algorithm}
    return json.dumps(answer)


KmsResponse.sign = sign
main(["-H", "127.0.0.1", "-p", sys.argv[1]])
