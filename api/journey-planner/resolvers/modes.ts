/**
 * Maps the modes of requests to the timetable's transport modes. The older dialect has one list of modes for streets
 * and transit, with fewer transit modes. Some of its modes include those it cannot name. Callers: boards, nearest,
 * lines and trips.
 */
import { TRANSPORT_MODES, type TransportMode } from '../../../planner/model/transport-mode.ts';
import { given } from './lists.ts';

/** Modes that an older mode includes beside itself. */
const ALSO: Readonly<Record<string, readonly TransportMode[]>> = {
  bus: ['trolleybus'],
  metro: ['monorail'],
  transit: TRANSPORT_MODES,
};

const KNOWN: ReadonlySet<string> = new Set(TRANSPORT_MODES);

/** Returns the transport modes of a list; street modes add none. Undefined when the list is empty or absent. */
export function transportModesOf(
  names: readonly (string | null)[] | null | undefined,
  dialect: 'v2' | 'v3',
): ReadonlySet<TransportMode> | undefined {
  const wanted = given(names);
  if (!wanted) return undefined;
  const modes = new Set<TransportMode>();
  for (const name of wanted) {
    if (KNOWN.has(name)) modes.add(name as TransportMode);
    if (dialect === 'v2') for (const mode of ALSO[name] ?? []) modes.add(mode);
  }
  return modes;
}
