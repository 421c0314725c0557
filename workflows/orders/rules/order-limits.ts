/**
 * How large an order may be. Its document holds the draft, the last confirmed version, and events that have yet to be moved.
 * Together they stay below the 16 MB of a document, so a draft that is paid can always be confirmed. See package.md of
 * activities/orders.
 */

export const MAX_LINES = 200;
export const MAX_TRAVELLERS = 200;
export const MAX_FEES = 200;
/** Of all rides. A call takes some 200 bytes: 20 travellers' round trip with 500 calls each way fits. */
export const MAX_CALLS = 20_000;
/** Supplements may be added call by call. */
export const MAX_LINE_PRODUCTS = 100;
export const MAX_CONTENT_BYTES = 6_000_000;
