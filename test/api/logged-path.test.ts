/** Only known parts of a path may appear in the log. */
import assert from 'node:assert/strict';
import { loggedPath } from '../../api/shared/logged-path.ts';

const PROFILE = '/customers/v2/profiles/{customerIdentifier}';
const PREFERENCE = '/customers/v2/profiles/{customerNumber}/preferences/{key}';
const CONSENT = '/customers/v2/profiles/{customerNumber}/consents/{id}';

describe('a path in the log', () => {
  const cases: readonly (readonly [path: string, route: string | undefined, logged: string])[] = [
    ['/timetable/v1/rut/datasets', '/timetable/v1/{codespace}/datasets', '/timetable/v1/rut/datasets'],
    ['/customers/v2/profiles/kari@example.no', PROFILE, PROFILE],
    ['/customers/v2/profiles/4837201956', PROFILE, PROFILE],
    [
      '/customers/v2/profiles/4837201956/preferences/seat',
      PREFERENCE,
      PREFERENCE.replace('{customerNumber}', '4837201956'),
    ],
    ['/customers/v2/profiles/91234567/preferences/seat', PREFERENCE, PREFERENCE],
    [
      '/customers/v2/profiles/4837201956/consents/7a0f5b1e-0d39-4a49-9d55-3f2f5f5c1c11',
      CONSENT,
      '/customers/v2/profiles/4837201956/consents/7a0f5b1e-0d39-4a49-9d55-3f2f5f5c1c11',
    ],
    ['/customers/v2/profile/kari@example.no', undefined, '…'],
    ['//Customers/v2/kari@example.no', undefined, '…'],
    ['/%63ustomers/v2/profiles/kari@example.no', undefined, '…'],
    ['/./customers/v2/profiles/kari@example.no', undefined, '…'],
    ['/timetable/../customers/v2/profiles/kari@example.no', undefined, '…'],
    ['/nothing', undefined, '…'],
    [
      '/timetable/v1/kari%40example.no/datasets',
      '/timetable/v1/{codespace}/datasets',
      '/timetable/v1/{codespace}/datasets',
    ],
    ['/journey-planner/ide/kari@example.no', '/journey-planner/ide/:file', '/journey-planner/ide/:file'],
    ['/journey-planner/v3/graphql', '/journey-planner/v3/graphql', '/journey-planner/v3/graphql'],
  ];
  for (const [path, route, logged] of cases)
    it(`${path} is ${logged}`, () => assert.equal(loggedPath(path, route), logged));
});
