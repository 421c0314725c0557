/** Hostile queries, each as the body of a request: too deep, too wide, too long, cyclic, or requesting everything. */
export interface HostileQuestion {
  readonly name: string;
  readonly body: string;
}

const BODY_BYTES = 5_000_000;

const asBody = (query: string): string => JSON.stringify({ query });

function nested(depth: number): string {
  const fields = ['line', 'journeyPatterns', 'serviceJourneys'];
  let query = '';
  for (let level = 0; level < depth; level++) query += ` { ${level === 0 ? 'lines' : fields[level % fields.length]}`;
  return `${query} { id }${' }'.repeat(depth)}`;
}

const INTROSPECTION = '{ __schema { types { fields { type { fields { type { fields { type { name } } } } } } } } }';
const HUGE_WINDOW = `{ trip(from: {coordinates: {latitude: 59.9, longitude: 10.7}}, to: {coordinates: {latitude: 60.4, longitude: 11.2}},
  searchWindow: 2147483647, numTripPatterns: 2147483647) { tripPatterns { legs { id } } } }`;
const HUGE_BOARD =
  '{ stopPlaces { estimatedCalls(numberOfDepartures: 2147483647, timeRange: 2147483647) { aimedDepartureTime } } }';

export const HOSTILE_QUESTIONS: readonly HostileQuestion[] = [
  { name: 'depth 1,000', body: asBody(nested(1000)) },
  {
    name: '10,000 aliases',
    body: asBody(`{ ${Array.from({ length: 10_000 }, (_, at) => `a${at}: lines { id }`).join(' ')} }`),
  },
  { name: 'body of 5 MB', body: asBody(`{ lines { id } } #${'x'.repeat(BODY_BYTES)}`) },
  {
    name: 'fragments in a circle',
    body: asBody('{ lines { ...A } } fragment A on Line { ...B } fragment B on Line { ...A }'),
  },
  { name: 'introspection', body: asBody(INTROSPECTION) },
  {
    name: 'introspection 40 times',
    body: asBody(
      `{ ${Array.from({ length: 40 }, (_, at) => `a${at}: __schema { types { fields { args { type { name } } } } }`).join(' ')} }`,
    ),
  },
  { name: 'a window without end', body: asBody(HUGE_WINDOW) },
  { name: 'boards without end', body: asBody(HUGE_BOARD) },
  { name: 'a batch', body: JSON.stringify(Array.from({ length: 1000 }, () => ({ query: '{ lines { id } }' }))) },
];
