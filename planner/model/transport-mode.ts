/** Transport modes of the planner, in the GraphQL schema's spelling. A snapshot stores a mode as its index here. */
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
