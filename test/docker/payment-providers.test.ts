/** The files that add a payment provider to the composition: each process that uses one gets all that it needs, and a way to it. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { AREAS } from '../../activities/areas.ts';
import { stripeShape } from '../../activities/payments/provider/stripe/stripe-config.ts';
import { composition as paymentsOfApi } from '../../api/payments/compose.ts';
import { type Composition, readComposition, readTexts } from '../../dev/docker/check/composition.ts';
import { exampleValues } from '../../dev/docker/check/example-values.ts';
import { checkEnvironment } from '../../dev/docker/check/processes.ts';
import { type ComposeFile, readCompose } from '../../dev/docker/compose-file.ts';
import { projectRoot } from '../../dev/setup/resolve.mjs';
import { rolesOf } from '../../platform/area.ts';

const SECRETS = {
  PAYMENT_SIMULATOR_SECRET: 's'.repeat(44),
  STRIPE_SECRET_KEY: 'sk_live_0123456789',
  STRIPE_WEBHOOK_SECRET: 'whsec_0123456789',
};
/** Of Stripe, that have a default and are for tests and trials. */
const NOT_GIVEN = new Set(['STRIPE_API_BASE']);

const texts = readTexts();
const values = { ...exampleValues(texts.compose), ...SECRETS };

/** As the engine merges two files: values of the second, networks of both. */
function merged(overlay: string): Composition {
  const base = readComposition(texts, values);
  const more = readCompose(readFileSync(join(projectRoot, 'docker', overlay), 'utf8'), values);
  const services = Object.fromEntries(
    Object.entries(base.compose.services).map(([name, service]) => {
      const { environment = {}, networks = {} } = more.services[name] ?? {};
      const both = {
        environment: { ...service.environment, ...environment },
        networks: { ...service.networks, ...networks },
      };
      return [name, { ...service, ...both }];
    }),
  ) as ComposeFile['services'];
  return { ...base, compose: { ...base.compose, services } };
}

/** The processes whose configuration asks for providers. */
const USERS = [
  ...('PAYMENT_PROVIDERS' in paymentsOfApi.config ? ['api'] : []),
  ...rolesOf(AREAS).flatMap(({ name, config }) => ('PAYMENT_PROVIDERS' in config ? [name] : [])),
].sort();

const usersIn = ({ compose }: Composition, provider: string): readonly string[] =>
  Object.entries(compose.services)
    .flatMap(([name, { environment }]) => (environment.PAYMENT_PROVIDERS === provider ? [name] : []))
    .sort();

describe('the payment providers of the composition', () => {
  it('are none without a file that adds one, and no terminal is allowed', () => {
    const { services } = readComposition(texts, values).compose;
    assert.ok(Object.values(services).every(({ environment }) => !('PAYMENT_PROVIDERS' in environment)));
    assert.equal(services['payment-page']?.environment.TERMINAL_ORIGINS, '');
    assert.deepEqual(USERS, ['api', 'books-worker', 'sales-payments-worker']);
  });

  for (const [overlay, provider] of [
    ['compose.stripe.yaml', 'STRIPE'],
    ['compose.development.yaml', 'SIMULATOR'],
  ] as const) {
    it(`are given by ${overlay} to every process that asks for them, with usable settings`, async () => {
      const composition = merged(overlay);
      assert.deepEqual(usersIn(composition, provider), USERS);
      for (const name of [...USERS, 'payment-page']) {
        assert.deepEqual(await checkEnvironment(name, composition), []);
      }
    });
  }

  it('have a way to Stripe, all of its settings, and its pages', () => {
    const { services, networks } = merged('compose.stripe.yaml').compose;
    for (const name of USERS) {
      const service = services[name];
      assert.ok(
        Object.keys(service?.networks ?? {}).some((network) => !networks[network]?.internal),
        `${name} has no way out`,
      );
      const missing = Object.keys(stripeShape).filter(
        (variable) => !NOT_GIVEN.has(variable) && !(variable in (service?.environment ?? {})),
      );
      assert.deepEqual(missing, [], name);
    }
    assert.equal(services['payment-page']?.environment.TERMINAL_ORIGINS, 'https://checkout.stripe.com');
  });
});
