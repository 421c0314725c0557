/**
 * Changes, expiry, conversion and erasure of one profile may not interfere, even when two processes request them at
 * once.
 */
import assert from 'node:assert/strict';
import type { ProfileContent } from '../../../activities/customers/customer-types.ts';
import type { CustomerNumber } from '../../../workflows/shared/ids.ts';
import { anna, CustomerFixture, guest, HOME, OURS, outcomeOf, request } from './customer-fixture.ts';

const ROUNDS = 5;
const AT_ONCE = 25;
const CONVERSIONS = 50;

const numbers = (length: number) => Array.from({ length }, (_, index) => index);
const numbered = numbers(AT_ONCE);

describe('races for a profile', () => {
  const fixture = new CustomerFixture('profile-races');
  before(async () => await fixture.open());
  beforeEach(async () => await fixture.clear());
  after(async () => await fixture.close());

  const processOf = (index: number) => (index % 2 === 0 ? fixture.here : fixture.there);
  const stored = async (customerNumber: CustomerNumber) =>
    (await fixture.here.collection.findOne({ _id: customerNumber })) ?? assert.fail('no such profile');
  const newGuest = async (): Promise<CustomerNumber> =>
    (await fixture.here.profiles.create(guest(fixture.inDays(1)), request())).customerNumber;
  const rename = (index: number, customerNumber: CustomerNumber) =>
    processOf(index).profiles.update(
      ...([OURS, customerNumber, 'TEMPORARY'] as const),
      (present) => ({ ...present, firstName: `${present.firstName ?? ''}.` }),
      request(),
    );

  it('lose no change of many, and number their events without gap or repeat', async () => {
    const customerNumber = await newGuest();
    await Promise.all(numbered.map((index) => rename(index, customerNumber)));
    const { firstName } = await fixture.here.profiles.get(OURS, customerNumber);
    assert.equal(firstName?.length, AT_ONCE);
    const { outbox, sequence, revision } = await stored(customerNumber);
    assert.deepEqual(
      outbox.map((event) => event.sequence),
      numbers(AT_ONCE + 1).map((index) => index + 1),
    );
    assert.deepEqual([sequence, revision], [AT_ONCE + 1, AT_ONCE + 1]);
  });

  it('add each item once when every request comes twice at once', async () => {
    const { customerNumber } = await fixture.here.profiles.create(anna(), request());
    const added = numbered.map((index) => {
      const write = request(`w${index % 10}`);
      return processOf(index).addresses.add(OURS, customerNumber, HOME, write);
    });
    const ids = new Set((await Promise.all(added)).map((item) => item.id));
    assert.equal(ids.size, 10);
    assert.equal((await fixture.here.addresses.list(OURS, customerNumber)).length, 10);
  });

  it('never exceed a limit, nor give one card or consent code twice', async () => {
    const { customerNumber } = await fixture.here.profiles.create(anna(), request());
    const addresses = numbered.map((index) =>
      outcomeOf(processOf(index).addresses.add(OURS, customerNumber, HOME, request())),
    );
    const refused = (await Promise.all(addresses)).filter((outcome) => outcome === 'INVALID_STATE');
    assert.equal(refused.length, AT_ONCE - 20);
    const card = { mediaSerialNumber: '42', issuerCode: '123456' };
    const cards = numbered.map((index) => outcomeOf(processOf(index).cards.add(OURS, customerNumber, card, request())));
    assert.equal((await Promise.all(cards)).filter((outcome) => outcome !== 'INVALID_STATE').length, 1);
    const consent = { consentCode: 'MAIL', consentChoice: true, consentVersion: 1, distributionChannel: 'web' };
    const consents = numbered.map((index) =>
      outcomeOf(processOf(index).consents.add(OURS, customerNumber, consent, request())),
    );
    assert.equal((await Promise.all(consents)).filter((outcome) => outcome !== 'INVALID_STATE').length, 1);
  });

  it('give a card to one of two profiles', async () => {
    const owners = await Promise.all(
      numbered.slice(0, 10).map(async (index) => {
        const { customerNumber } = await fixture.here.profiles.create(anna({ email: `a${index}@b.no` }), request());
        return customerNumber;
      }),
    );
    const card = { mediaSerialNumber: '42', issuerCode: '123456' };
    const outcomes = await Promise.all(
      owners.map((owner, index) => outcomeOf(processOf(index).cards.add(OURS, owner, card, request()))),
    );
    assert.equal(outcomes.filter((outcome) => outcome !== 'INVALID_STATE').length, 1);
  });

  it('add nothing to a profile whose erasure has begun', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const email = `round${round}@example.no`;
      const { customerNumber } = await fixture.here.profiles.create(anna({ email }), request());
      const adds = [0, 1, 2, 3].map((index) =>
        outcomeOf(processOf(index).addresses.add(OURS, customerNumber, HOME, request())),
      );
      const erased = eraseAll(customerNumber);
      const outcomes = await Promise.all(adds);
      await erased;
      assert.deepEqual(await fixture.here.lifecycle.verify(OURS, customerNumber), []);
      assert.ok(outcomes.every((outcome) => typeof outcome === 'object' || outcome === 'NOT_FOUND'));
      await assertGapless(customerNumber);
    }
  });

  async function eraseAll(customerNumber: CustomerNumber): Promise<void> {
    const { profiles, lifecycle } = fixture.there;
    await profiles.beginErasure(OURS, customerNumber, 'PERMANENT', request());
    await lifecycle.destroyKey(OURS, customerNumber);
    await lifecycle.removeContent(OURS, customerNumber);
    await lifecycle.markErased(OURS, customerNumber);
  }

  async function assertGapless(customerNumber: CustomerNumber): Promise<void> {
    const { outbox, sequence } = await stored(customerNumber);
    assert.deepEqual(
      outbox.map((event) => event.sequence),
      numbers(sequence).map((index) => index + 1),
    );
  }

  it('change no profile whose date passes between read and write', async () => {
    const customerNumber = await newGuest();
    const change = (present: ProfileContent): ProfileContent => {
      fixture.now = fixture.inDays(1);
      return { ...present, firstName: 'Too late' };
    };
    const late = fixture.here.profiles.update(OURS, customerNumber, 'TEMPORARY', change, request());
    assert.equal(await outcomeOf(late), 'NOT_FOUND');
    assert.equal((await stored(customerNumber)).revision, 1);
  });

  it('let either a change or the expiry win completely', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const customerNumber = await newGuest();
      const changes = [0, 1, 2, 3].map((index) => outcomeOf(rename(index, customerNumber)));
      await fixture.there.lifecycle.beginErasing(OURS, customerNumber);
      const outcomes = await Promise.all(changes);
      const { firstName, status, sequence } = { firstName: '', ...(await stored(customerNumber)) };
      assert.deepEqual([status, firstName], ['EXPIRED', '']);
      const done = outcomes.filter((outcome) => typeof outcome === 'object').length;
      assert.equal(sequence, 1 + done, 'a change that was refused has left a trace, or one that was not has none');
    }
  });

  it('apply a change before a conversion completely or not at all', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const customerNumber = await newGuest();
      await prepare(0, customerNumber, `w${round}`);
      const changes = [0, 1, 2, 3].map((index) =>
        outcomeOf(
          processOf(index).profiles.update(
            ...([OURS, customerNumber, 'TEMPORARY'] as const),
            (present) => ({ ...present, dateOfBirth: `1990-01-0${(present.dateOfBirth?.length ?? 0) > 0 ? 2 : 1}` }),
            request(),
          ),
        ),
      );
      assert.equal(await fixture.there.lifecycle.convert(OURS, customerNumber, `w${round}`), 'CONVERTED');
      const done = (await Promise.all(changes)).filter((outcome) => typeof outcome === 'object');
      const { dateOfBirth } = await fixture.here.profiles.get(OURS, customerNumber, 'PERMANENT');
      assert.equal(dateOfBirth, [undefined, '1990-01-01', '1990-01-02'][Math.min(done.length, 2)]);
    }
  });

  const prepare = async (index: number, customerNumber: CustomerNumber, workId: string) => {
    const change = (present: ProfileContent) => ({
      ...present,
      firstName: `Number ${index}`,
      surname: 'Lie',
      email: `${workId}@${customerNumber}.no`,
    });
    return await processOf(index).profiles.prepareConversion(OURS, customerNumber, change, request(workId));
  };

  it('let exactly one of fifty conversions and the expiry win', async () => {
    const outcomesSeen = { permanent: 0, expired: 0 };
    for (let round = 0; round < ROUNDS; round += 1) {
      const customerNumber = await newGuest();
      await Promise.all(numbers(CONVERSIONS).map((index) => prepare(index, customerNumber, `w${index}`)));
      const conversions = numbers(CONVERSIONS).map((index) =>
        processOf(index).lifecycle.convert(OURS, customerNumber, `w${index}`),
      );
      // The date passes before them, while they run, and in the last round after the first.
      const expiry =
        round < ROUNDS - 1
          ? endAfter(customerNumber, round)
          : Promise.race(conversions).then(() => endAfter(customerNumber, 0));
      const outcomes = await Promise.all(conversions);
      const expired = await expiry;
      const winners = numbers(CONVERSIONS).filter((index) => outcomes[index] === 'CONVERTED');
      if (expired === 'EXPIRED') {
        outcomesSeen.expired += 1;
        assert.deepEqual(new Set(outcomes), new Set(['EXPIRED']));
        assert.deepEqual(await fixture.here.lifecycle.verify(OURS, customerNumber), []);
      } else {
        outcomesSeen.permanent += 1;
        assert.equal(expired, 'PERMANENT');
        assert.equal(winners.length, 1);
        const { firstName, email } = await fixture.here.profiles.get(OURS, customerNumber, 'PERMANENT');
        assert.deepEqual([firstName, email], [`Number ${winners[0]}`, `w${winners[0]}@${customerNumber}.no`]);
      }
      await assertGapless(customerNumber);
    }
    assert.ok(outcomesSeen.permanent > 0 && outcomesSeen.expired > 0, JSON.stringify(outcomesSeen));
  });

  /** Expires the profile as the workflow does once its timer has fired. */
  async function endAfter(customerNumber: CustomerNumber, reads: number): Promise<string> {
    const { lifecycle } = fixture.there;
    for (let read = 0; read < reads * 2; read += 1) await lifecycle.expiryOf(OURS, customerNumber);
    fixture.now = fixture.inDays(2);
    const outcome = await lifecycle.expire(OURS, customerNumber);
    if (outcome !== 'EXPIRED') return outcome;
    await lifecycle.destroyKey(OURS, customerNumber);
    await lifecycle.removeContent(OURS, customerNumber);
    await lifecycle.markErased(OURS, customerNumber);
    return outcome;
  }
});
