/**
 * Mode words of requests as the timetable's transport modes. The older dialect has one list of modes for streets and transit and
 * fewer of the latter: its words stand for those it cannot name. Called by boards, nearest, lines and trips.
 */
import { TRANSPORT_MODES, type TransportMode } from '../../../planner/model/transport-mode.ts';
import { given } from './lists.ts';

/** Modes that an older word covers beside itself. */
const ALSO: Readonly<Record<string, readonly TransportMode[]>> = {
  bus: ['trolleybus'],
  metro: ['monorail'],
  transit: TRANSPORT_MODES,
};

const KNOWN: ReadonlySet<string> = new Set(TRANSPORT_MODES);

/** The modes a list names; street modes name none. Undefined when the list is empty or not given. */
export function transportModesOf(
  names: readonly (string | null)[] | null | undefined,
  dialect: 'v2' | 'v3',
): ReadonlySet<TransportMode> | undefined {
  const asked = given(names);
  if (!asked) return undefined;
  const modes = new Set<TransportMode>();
  for (const name of asked) {
    if (KNOWN.has(name)) modes.add(name as TransportMode);
    if (dialect === 'v2') for (const mode of ALSO[name] ?? []) modes.add(mode);
  }
  return modes;
}
