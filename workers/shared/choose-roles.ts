/** Translates the words of a command line to roles. Caller: workers/main.ts. */
import { type Area, rolesOf, type WorkerRole } from '../../platform/area.ts';

/** All roles that may share a process. */
const LIGHT = 'light';

/**
 * Roles in the order of the manifests, each once. Throws one sentence for an unknown word, and when there is no role.
 */
export function chooseRoles(words: readonly string[], areas: readonly Area[]): readonly WorkerRole[] {
  const roles = rolesOf(areas);
  const names = [...roles.map(({ name }) => name), LIGHT].join(', ');
  const unknown = words.filter((word) => word !== LIGHT && !roles.some(({ name }) => name === word));
  if (unknown.length > 0) throw new Error(`There is no worker role ${unknown.join(', ')}; there are ${names}`);
  const chosen = roles.filter(
    ({ name, weight }) => words.includes(name) || (weight === 'light' && words.includes(LIGHT)),
  );
  if (chosen.length === 0) throw new Error(`Name the worker roles to run: ${names}`);
  const heavy = chosen.find(({ weight }) => weight === 'heavy');
  if (heavy && chosen.length > 1) throw new Error(`The worker role ${heavy.name} must run alone in its process`);
  return chosen;
}
