/** The key of all tests that run workflows. Recorded histories were encrypted with it before they were stored. */
export const PAYLOAD_KEYS = `test:${Buffer.alloc(32, 7).toString('base64')}`;
