/**
 * What Schemathesis is told of the service, as TOML: its checks, and values that lead generated requests to what exists. Used by
 * fuzz-api.ts.
 */
import { PASSWORD, type People } from './fuzz-api-people.ts';

/** Most values come from these lists, some are generated all the same. */
const MOSTLY = 0.85;
/** Their 400 depends on the clock, on another member or on what is stored: no schema can say when. */
const REFUSED_FOR_MORE = [
  ...['createTemporaryProfile', 'changeTemporaryProfile', 'convertProfile', 'changeProfile', 'searchProfiles'],
  ...['createLoyaltyProgram', 'replaceLoyaltyProgram', 'listEvents'],
];

const COMMON = `
request-timeout = 60
[cache]
enabled = false
[generation]
allow-x00 = false
[output.sanitization]
keys-to-sanitize = ["authorization"]
sensitive-markers = []
[checks.positive_data_acceptance]
expected-statuses = [ "2xx", 401, 403, 404, 406, 409, 422, 429 ]
`;

/** By the name that a schema gives the value. */
const COMMON_PARAMETERS = {
  'path.customerNumber': 'customers',
  'path.customerIdentifier': 'permanent',
  'path.topic': 'topics',
  'query.organisationId': 'organisations',
  'query.email': 'emails',
  'query.wait': 'waits',
  'body.organisationId': 'organisations',
  'body.distributionChannel': 'channels',
  'body.consentCode': 'codes',
  'body.username': 'emails',
  'body.password': 'passwords',
};

export function toConfig(people: People): string {
  return [
    COMMON,
    `[auth.openapi.token]\nbearer = ${JSON.stringify(people.token)}`,
    ...Object.entries(listsOf(people)).map(
      ([name, list]) => `[dictionaries.${name}]\nvalues = ${JSON.stringify(list)}`,
    ),
    `[parameters]\n${bindings(COMMON_PARAMETERS).join('\n')}`,
    ...Object.keys(people.items).map((kind) => {
      const name = kind === 'preferences' ? 'path.key' : 'path.id';
      return forPaths(`/${kind}/`, { 'path.customerNumber': 'holder', [name]: kind });
    }),
    forPaths('/temporary/', { 'path.customerNumber': 'temporary' }),
    `[[operations]]\ninclude-operation-id = ${JSON.stringify(REFUSED_FOR_MORE)}`,
    'checks.positive_data_acceptance.enabled = false',
  ].join('\n');
}

function listsOf(people: People) {
  const { permanent, temporary, holder, emails, items } = people;
  return {
    ...{ permanent, temporary, customers: [...permanent, ...temporary], holder: [holder], emails, ...items },
    ...{ organisations: [1], channels: ['SVC:DistributionChannel:FjordbussApp'], passwords: [PASSWORD] },
    codes: ['TERMS_OF_USE', 'NEWSLETTER', 'TRAVEL_STATISTICS'],
    topics: ['customer-changed-dev', 'timetable-dataset-events-dev'],
    waits: [0, 1],
  };
}

function forPaths(pattern: string, parameters: Readonly<Record<string, string>>): string {
  return `[[operations]]\ninclude-path-regex = "${pattern}"\nparameters = { ${bindings(parameters).join(', ')} }`;
}

function bindings(parameters: Readonly<Record<string, string>>): readonly string[] {
  return Object.entries(parameters).map(
    // A generated time to wait would take as long as it says.
    ([name, list]) => `"${name}" = { dictionary = "${list}", probability = ${list === 'waits' ? 1 : MOSTLY} }`,
  );
}
