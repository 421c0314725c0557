/** Makes the configuration of Schemathesis as TOML: its checks, and the sources of its values. Used by fuzz-api.ts. */
import type { TestedDocument } from './fuzz-api-document.ts';
import { type Bindings, headerBindings, type Lists, pathBindings, queryBindings } from './fuzz-api-values.ts';

/** Share of values that come from the lists; the rest are generated. */
const MOSTLY = 0.85;
/** Their 400 depends on the clock, on another member or on stored data, which no schema can state. */
const REFUSED_FOR_MORE = [
  'listPaymentMethods',
  'searchTripPattern',
  'searchStopPlaces',
  'searchZones',
  'searchAuthority',
  'getOffer',
  'createTemporaryProfile',
  'changeTemporaryProfile',
  'convertProfile',
  'changeProfile',
  'searchProfiles',
  'createLoyaltyProgram',
  'replaceLoyaltyProgram',
  'replacePreference',
  'listEvents',
  'searchReceipts',
  'searchSeatingArrangements',
  'listFreeSeats',
];

/**
 * The fuzzer sends the tag `0` in `If-Match`, which the pattern of the header forbids, and expects success. The documented 400 is
 * right.
 */
const TAGGED = ['putCatalogue'];

/** They take a channel, and a tag of what the caller has seen; their times, amounts, pages and members depend on each other. */
const ABOUT_ORDERS =
  /^\/v1(beta)?\/(orders|reserve-offers|update-order|change-options|payments|payment-page-orchestrator|settlements|reconciliations|credits|penalty-fare-invoices|refunds|(pdf-)?tickets?)\b/;

const COMMON = `
request-timeout = 60
# They complain of a busy machine.
suppress-health-check = ["all"]
[cache]
enabled = false
[generation]
allow-x00 = false
[output.sanitization]
keys-to-sanitize = ["authorization"]
sensitive-markers = ["authorization"]
[checks.negative_data_rejection]
expected-statuses = ["4xx"]
[checks.positive_data_acceptance]
# 413: no schema limits the bytes of a whole body.
expected-statuses = ["2xx", 401, 403, 404, 406, 409, 413, 422, 429]
`;

const PARAMETERS = {
  'query.organisationId': 'organisations',
  'query.email': 'emails',
  'query.wait': 'waits',
  'header.Idempotency-Key': 'keys',
  'body.organisationId': 'organisations',
  'body.distributionChannel': 'channels',
  'body.consentCode': 'codes',
  'body.username': 'emails',
  'body.password': 'passwords',
  'body.toCustomerId': 'permanent',
};

export function toConfig(token: string, lists: Lists, { operations }: TestedDocument): string {
  return [
    COMMON,
    `[auth.openapi.token]\nbearer = ${JSON.stringify(token)}`,
    ...Object.entries(lists).map(([name, values]) => `[dictionaries.${name}]\nvalues = ${JSON.stringify(values)}`),
    `[parameters]\n${toLines(PARAMETERS).join('\n')}`,
    ...operations.map(({ operationId, path }) => forOperation(operationId, path)),
  ].join('\n');
}

function forOperation(operationId: string, path: string): string {
  const bindings = [
    ...placed('path', pathBindings(operationId, path)),
    ...placed('query', queryBindings(operationId, path)),
    ...placed('header', headerBindings(path)),
    ...(path.startsWith('/v1/receipts') ? placed('body', { orderId: 'ticketOrders' }) : []),
  ];
  const lines = [
    '[[operations]]',
    `include-operation-id = "${operationId}"`,
    `parameters = { ${toLines(Object.fromEntries(bindings)).join(', ')} }`,
  ];
  if ([...REFUSED_FOR_MORE, ...TAGGED].includes(operationId) || ABOUT_ORDERS.test(path))
    lines.push('checks.positive_data_acceptance.enabled = false');
  return lines.join('\n');
}

function placed(place: string, bindings: Bindings): readonly (readonly [string, string])[] {
  return Object.entries(bindings).map(([name, list]) => [`${place}.${name}`, list] as const);
}

function toLines(bindings: Bindings): readonly string[] {
  return Object.entries(bindings).map(
    // A generated wait would really take its time.
    ([name, list]) => `"${name}" = { dictionary = "${list}", probability = ${list === 'waits' ? 1 : MOSTLY} }`,
  );
}
