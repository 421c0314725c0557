/** Time zones and languages as feeds name them. Callers: agencies, stops, the publisher. */

const known = new Map<string, boolean>();

/** Whether `Intl` knows the zone. Cached, because each check creates a formatter. */
export function isTimeZone(name: string): boolean {
  const answer = known.get(name) ?? isAccepted(name);
  known.set(name, answer);
  return answer;
}

function isAccepted(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

export function timeZoneOf(text: string): string | undefined {
  return text !== '' && isTimeZone(text) ? text : undefined;
}

export function languageOf(text: string): string | undefined {
  return /^[a-z]{2,3}(-[a-z0-9]{2,8})*$/i.test(text) ? text : undefined;
}
