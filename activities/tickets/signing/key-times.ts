/** How long keys and what inspectors hold are valid. Pure. */
import { DAY_MS } from '../../../workflows/shared/spans.ts';

/** From the making of an inspection file. Devices without a connection for longer must not trust it. */
export const INSPECTION_VALID_MS = DAY_MS;
/** By then every device with a valid inspection file knows a published key, so that no device meets a ticket of an unknown one. */
export const KNOWN_AFTER_MS = INSPECTION_VALID_MS;
