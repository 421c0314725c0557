/**
 * What of a request's path stands in the log. Caller: the line that is written for each request.
 *
 * Below `/customers` a path may name a person: a reference that a partner chose, an e-mail address or phone number taken for
 * one. There only what the service itself has named is written; for the rest stands its name in the document.
 */
const NAMES_PERSONS = /^\/+customers(\/|$)/i;

const OWN_NAMES: Readonly<Record<string, RegExp>> = {
  '{customerNumber}': /^\d{10}$/,
  '{id}': /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i,
};

/** `route`: the template that the path has matched, as `/a/{b}`. */
export function loggedPath(path: string, route: string | undefined): string {
  if (!NAMES_PERSONS.test(path)) return path;
  if (route === undefined) return '/customers/…';
  const given = path.split('/');
  return route
    .split('/')
    .map((part, at) => (OWN_NAMES[part]?.test(given[at] ?? '') ? given[at] : part))
    .join('/');
}
