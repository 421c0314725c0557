/** Receipts of many kinds for tests and looks at their design. */
import type { Receipt, ReceiptLine } from '../../../../workflows/receipts/rules/receipt.ts';
import type { OrderId, OrganisationId, ReceiptReference } from '../../../../workflows/shared/ids.ts';

const TICKET: ReceiptLine = {
  kind: 'LINE',
  description: [
    { lang: 'nob', value: 'Enkeltbillett Oslo S – Bergen stasjon' },
    { lang: 'nno', value: 'Enkeltbillett Oslo S – Bergen stasjon' },
    { lang: 'eng', value: 'Single ticket Oslo S – Bergen stasjon' },
  ],
  travellerCount: 2,
  price: { amountMinor: 179_800, taxMinor: 19_264, taxBasisPoints: 1_200, taxCode: 'VAT_LOW' },
};

const FEE: ReceiptLine = {
  kind: 'FEE',
  description: [
    { lang: 'nob', value: 'Bestillingsgebyr' },
    { lang: 'eng', value: 'Booking fee' },
  ],
  travellerCount: 0,
  price: { amountMinor: 5_000, taxMinor: 1_000, taxBasisPoints: 2_500, taxCode: 'VAT_HIGH' },
};

export function receiptOf(changes: Partial<Receipt> = {}): Receipt {
  return {
    reference: '5b0e8a44-7c0e-4c4f-8f3a-0d6f2a1f9b10' as ReceiptReference,
    organisationId: 1 as OrganisationId,
    distributionChannelId: 'SVC:DistributionChannel:App' as Receipt['distributionChannelId'],
    year: 2026,
    number: 1_017,
    receiptType: 'SALE',
    orderId: 'K7PQ2MZX' as OrderId,
    orderVersion: 1,
    currency: 'NOK',
    totalMinor: 184_800,
    lines: [TICKET, FEE],
    vat: [
      { basisPoints: 2_500, code: 'VAT_HIGH', baseMinor: 4_000, taxMinor: 1_000 },
      { basisPoints: 1_200, code: 'VAT_LOW', baseMinor: 160_536, taxMinor: 19_264 },
    ],
    payments: [
      {
        paymentTypeGroup: 'PAYMENTCARD',
        paymentType: 'VISA',
        last4: '1111',
        amountMinor: 184_800,
        at: new Date('2026-11-20T10:15:28Z'),
      },
    ],
    credits: [],
    seller: {
      name: 'Samferd Tog AS',
      vatNumber: '915 123 456 MVA',
      address: ['Jernbanetorget 1', '0154 Oslo'],
      contact: 'kundeservice@samferd.example',
    },
    language: 'nob',
    createdAt: new Date('2026-11-20T10:15:30Z'),
    ...changes,
  };
}

export function refund(): Receipt {
  const price = { ...TICKET.price, amountMinor: -179_800, taxMinor: -19_264 };
  const credit = { paymentTypeGroup: 'PAYMENTCARD', paymentType: 'VISA', last4: '1111', amountMinor: 179_800 };
  return receiptOf({
    receiptType: 'REFUND',
    orderVersion: 2,
    totalMinor: -179_800,
    lines: [{ ...TICKET, price }],
    vat: [{ basisPoints: 1_200, code: 'VAT_LOW', baseMinor: -160_536, taxMinor: -19_264 }],
    payments: [],
    credits: [{ ...credit, at: new Date('2026-11-22T08:00:00Z') }],
  });
}

/** The provider has refused it, and the seller has paid by a bank transfer. */
export function paidOtherwise(): Receipt {
  const receipt = refund();
  const credits = receipt.credits.map(({ last4: _last4, ...credit }) => ({ ...credit, paidOtherwise: true as const }));
  return { ...receipt, credits };
}

export function withSupplements(): Receipt {
  const bicycle = [
    { lang: 'nob', value: 'Sykkel' },
    { lang: 'eng', value: 'Bicycle' },
  ] as const;
  const lunch = [{ lang: 'nob', value: 'Nistepakke' }] as const;
  return receiptOf({ lines: [{ ...TICKET, supplementNames: [bicycle, bicycle, lunch] }, FEE] });
}

/** More than a page. */
export function manyLines(): Receipt {
  const lines = Array.from({ length: 40 }, (_, at) => ({ ...TICKET, travellerCount: (at % 9) + 1 }));
  return receiptOf({ lines: [...lines, FEE], totalMinor: 40 * 179_800 + 5_000 });
}
