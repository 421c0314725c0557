/** When signing keys rotate. Callers: the configuration of the worker `operations`, rotation-schedule.ts. */
import { z } from 'zod';
import { fields } from '../../platform/config.ts';

/** Numbers, names of months and days, `*`, lists, ranges and steps. */
const CRON = /^[\d*,/\-a-z]+( [\d*,/\-a-z]+){4}$/i;

export const rotationShape = {
  TIME_ZONE: fields.timeZone.default('Europe/Oslo'),
  /** Minute, hour, day of the month, month, day of the week. */
  KEY_ROTATION_SCHEDULE: z.string().trim().regex(CRON, 'must be five fields of cron').default('0 4 1 * *'),
};
