/**
 * The path of a request as the log shows it. A path that matches no route may hold anything, personal data too. Encoded
 * or with dots it may stand for another path, so the log does not show it. Below `/customers` a path may hold a
 * partner's reference, an e-mail address or a phone number. So the log shows only ids that the service itself made, and
 * parameter names for all others.
 */
const UNKNOWN = '…';
const NAMES_PERSONS = /^\/customers(\/|$)/;
/** Parameters of other routes. The name of a parameter stands for any other text. */
const PLAIN = /^[\w:.-]{1,100}$/;

const OWN_NAMES: Readonly<Record<string, RegExp>> = {
  '{customerNumber}': /^\d{10}$/,
  '{id}': /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i,
};

/** `route`: the template that the path matched, `/a/{b}` or `/a/:b`. */
export function loggedPath(path: string, route: string | undefined): string {
  if (route === undefined) return UNKNOWN;
  const allowed = (name: string) => (NAMES_PERSONS.test(route) ? OWN_NAMES[name] : PLAIN);
  const given = path.split('/');
  return route
    .split('/')
    .map((part, at) => (part.startsWith('{') && allowed(part)?.test(given[at] ?? '') ? given[at] : part))
    .join('/');
}
