/**
 * The variables that the role of the queue `operations` reads from its environment. Callers: area.ts,
 * operations-role.ts.
 */
import { z } from 'zod';
import { auditShape } from '../shared/audit.ts';
import { rotationShape } from './rotation-config.ts';
import { keyEncryptionShape } from './signing-key-sealing.ts';
import { PUBLISHED_AHEAD_SECONDS } from './signing-key-times.ts';

export const operationsRoleShape = {
  ...keyEncryptionShape,
  ...auditShape,
  ...rotationShape,
  KEY_PUBLISHED_AHEAD_SECONDS: z.coerce.number().int().min(1).max(604_800).default(PUBLISHED_AHEAD_SECONDS),
};
