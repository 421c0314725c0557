/**
 * The path of a request as the log shows it. Below `/customers` a path may hold personal data: a partner's reference, an e-mail
 * address or a phone number. There the log shows ids that the service itself made, and the parameter's name for all others.
 */
const NAMES_PERSONS = /^\/+customers(\/|$)/i;

const OWN_NAMES: Readonly<Record<string, RegExp>> = {
  '{customerNumber}': /^\d{10}$/,
  '{id}': /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i,
};

/** `route`: the template that the path matched, `/a/{b}`. */
export function loggedPath(path: string, route: string | undefined): string {
  if (!NAMES_PERSONS.test(path)) return path;
  if (route === undefined) return '/customers/…';
  const given = path.split('/');
  return route
    .split('/')
    .map((part, at) => (OWN_NAMES[part]?.test(given[at] ?? '') ? given[at] : part))
    .join('/');
}
