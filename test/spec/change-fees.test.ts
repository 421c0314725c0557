/** Changes shown by data: test/spec/change-fees/*.yaml say what they cost; see package.md there. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { balanceMinor } from '../../workflows/orders/rules/amounts.ts';
import type { OrderLine } from '../../workflows/orders/rules/order.ts';
import { type ChangeOption, changeOptionsOf } from '../../workflows/orders/rules/reserving/change-options.ts';
import { localDateOf } from '../../workflows/shared/local-time.ts';
import { totalPrice } from '../../workflows/shared/price.ts';
import { ServiceError } from '../../workflows/shared/service-error.ts';
import { bookOf, type ChangeCase, changeCases, changedOrder, soldOrder } from './support/change-case.ts';
import { at, OSLO } from './support/offer-case.ts';

const folder = new URL('./change-fees/', import.meta.url);
const names = readdirSync(folder).filter((name) => name.endsWith('.yaml'));

function show(one: ChangeCase): void {
  if (one.options) assert.deepEqual(optionsOf(one).map(tellOption), one.options);
  if (one.refused !== undefined) {
    const isRefusal = (error: unknown) => error instanceof ServiceError && error.code === one.refused;
    assert.throws(() => changedOrder(one), isRefusal);
    return;
  }
  const order = changedOrder(one);
  const fees = order.fees.map(({ type, price }) => `${type} ${price.amountMinor / 100}`);
  assert.deepEqual(fees, one.fees);
  assert.equal(balanceMinor(order) / 100, one.balance);
  if (one.credits !== undefined) assert.equal(order.creditBalance ?? false, one.credits);
  const lines = order.orderLines.map(({ id, version, status }) => `${id} ${version} ${status}`);
  if (one.lines) assert.deepEqual(lines, one.lines);
  const prices = order.orderLines.map((line) => line.price.amountMinor / 100);
  if (one.prices) assert.deepEqual(prices, one.prices);
  for (const { price, fareProducts } of order.orderLines) {
    const sum = totalPrice(fareProducts.map((product) => product.price));
    assert.deepEqual([price.amountMinor, price.taxMinor], [sum.amountMinor, sum.taxMinor]);
  }
  assert.equal(order.version, 2);
}

function optionsOf(one: ChangeCase): readonly ChangeOption[] {
  const order = soldOrder(one);
  const terms = { book: bookOf(one), hasSupplements: false };
  return changeOptionsOf(order, order.orderLines[0] as OrderLine, terms, at(one.at));
}

function tellOption({ type, fee, until }: ChangeOption): string {
  const time = new Intl.DateTimeFormat('en-GB', { timeZone: OSLO, hour: '2-digit', minute: '2-digit' }).format(until);
  const cost = fee ? ` costs ${fee.amountMinor / 100}` : '';
  return `${type}${cost} until ${localDateOf(until, OSLO)} ${time}`;
}

describe('changes', () => {
  for (const name of names) {
    describe(name, () => {
      for (const one of changeCases.parse(parse(readFileSync(new URL(name, folder), 'utf8')))) {
        it(one.about, () => show(one));
      }
    });
  }
});
