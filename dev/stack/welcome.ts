/** The message of `npm start` when everything is ready: addresses of the parts, and what to try. */

const TITLES: Readonly<Record<string, string>> = {
  api: 'API',
  auth: 'Authentication server',
  paymentPage: 'Payment page',
  journeyPlanner: 'Journey planner',
  provider: 'Payment provider simulator',
  mail: 'Mail in-box',
  temporalUi: 'Temporal UI',
  temporal: 'Temporal',
  mongodb: 'MongoDB',
  minio: 'Object store',
};

/** `missing`: why there is no demo data. */
export function describeStack(endpoints: Readonly<Record<string, string>>, seconds: number, missing?: string): string {
  const width = Math.max(...Object.values(TITLES).map((title) => title.length));
  const addresses = Object.entries(TITLES).flatMap(([key, title]) => {
    const address = endpoints[key];
    return address === undefined ? [] : [`  ${title.padEnd(width)}  ${withoutCredentials(address)}`];
  });
  return `
Samferd is ready (${seconds.toFixed(0)} s)${missing === undefined ? '.' : `, but without the demo data: ${missing}\nStart it again to import them.`}

${addresses.join('\n')}

Development clients and their secrets: .local/clients.json; logs: .local/logs/

Four things to try, from another terminal in this folder:

  1. Walk one whole story, from a timetable to paid orders, with tickets by mail:
       npm run demo
  2. Take a token and download the demo timetable:
       curl -fL -o demo.zip -H "Authorization: Bearer $(npm run -s token -- timetable-demo)" \\
         ${endpoints.api}/timetable/v1/timetable-data/datasets/dem/latest
     (docs/first-steps.md shows how to upload one of your own, to sell, and to pay on a page)
  3. Ask the journey planner for its lines:
       curl -f -H 'Content-Type: application/json' -H 'Service-Client-Name: me-trying' \\
         -d '{"query":"{ lines { id publicCode name transportMode } }"}' \\
         ${endpoints.journeyPlanner}/journey-planner/v3/graphql
  4. ${endpoints.temporalUi ? `See how it was imported:\n       ${endpoints.temporalUi}/namespaces/default/workflows` : `Read what the API offers:\n       ${endpoints.api}/api-docs`}

Ctrl-C stops everything; npm start continues with the same data; npm run reset deletes what it stored.
`;
}

/** The address of a user's own server may contain a password. */
function withoutCredentials(address: string): string {
  return address.replace(/\/\/[^/@]+@/, '//');
}
