/** Transport modes of the planner, as the GraphQL schema spells them; the position is the number kept in a snapshot. */
export const TRANSPORT_MODES = [
  'unknown',
  'air',
  'bus',
  'cableway',
  'coach',
  'funicular',
  'lift',
  'metro',
  'monorail',
  'rail',
  'taxi',
  'tram',
  'trolleybus',
  'water',
] as const;

export type TransportMode = (typeof TRANSPORT_MODES)[number];
