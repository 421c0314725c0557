/** Time zones and languages as feeds name them. Callers: agencies, stops, the publisher. */
import { isTimeZone } from '../../../planner/index.ts';

export function timeZoneOf(text: string): string | undefined {
  return text !== '' && isTimeZone(text) ? text : undefined;
}

export function languageOf(text: string): string | undefined {
  return /^[a-z]{2,3}(-[a-z0-9]{2,8})*$/i.test(text) ? text : undefined;
}
