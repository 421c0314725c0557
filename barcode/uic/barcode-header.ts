/** The envelope of UIC's module uicBarcodeHeader, version 2.0.1: who signed which content, and until when it is valid. */
import type { ValueOf } from '../per/per-type.ts';
import { ia5String, integer, objectIdentifier, octetString } from '../per/simple-types.ts';
import { optional, sequence, sequenceOf } from '../per/structures.ts';

const FIXED = { isExtensible: false };

export const dataType = sequence('DataType', { dataFormat: ia5String(), data: octetString }, FIXED);

export const level1DataType = sequence(
  'Level1DataType',
  {
    securityProviderNum: optional(integer(1, 32_000)),
    securityProviderIA5: optional(ia5String()),
    keyId: optional(integer(0, 99_999)),
    dataSequence: sequenceOf(dataType),
    level1KeyAlg: optional(objectIdentifier),
    level2KeyAlg: optional(objectIdentifier),
    level1SigningAlg: optional(objectIdentifier),
    level2SigningAlg: optional(objectIdentifier),
    level2PublicKey: optional(octetString),
    endOfValidityYear: optional(integer(2016, 2269)),
    endOfValidityDay: optional(integer(1, 366)),
    endOfValidityTime: optional(integer(0, 1439)),
    validityDuration: optional(integer(1, 3600)),
  },
  FIXED,
);

export const level2DataType = sequence(
  'Level2DataType',
  { level1Data: level1DataType, level1Signature: optional(octetString), level2Data: optional(dataType) },
  FIXED,
);

export const barcodeHeader = sequence(
  'UicBarcodeHeader',
  { format: ia5String(), level2SignedData: level2DataType, level2Signature: optional(octetString) },
  FIXED,
);

export type Level1Data = ValueOf<typeof level1DataType>;
