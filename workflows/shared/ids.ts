/** Branded identifiers: a value of one kind cannot be passed where another is meant. */
declare const brand: unique symbol;
export type Branded<T, Name extends string> = T & { readonly [brand]: Name };

/** The organisation that owns a resource; always the first argument of a store method that reads tenant data. */
export type OrganisationId = Branded<number, 'OrganisationId'>;
/** Three lower-case letters of a data provider, e.g. `rut`. */
export type Codespace = Branded<string, 'Codespace'>;
/** UUID of one import, from the upload's receipt. */
export type CorrelationId = Branded<string, 'CorrelationId'>;
/** `<codespace>_<yyyy-MM-dd'T'HH_mm_ss.SSS>`, UTC instant of the receipt. */
export type ImportKey = Branded<string, 'ImportKey'>;
/** 7–12 digits, assigned by the service; names a customer everywhere. */
export type CustomerNumber = Branded<string, 'CustomerNumber'>;
/** 8 characters of `ABCDEFGHJKLMNPQRSTUVWXYZ23456789`: no letter or digit is mistaken for another. */
export type OrderId = Branded<string, 'OrderId'>;
/** UUID. */
export type OrderLineId = Branded<string, 'OrderLineId'>;
/** UUID; names a traveller of one order. */
export type TravellerId = Branded<string, 'TravellerId'>;
/** UUID; a seat, or a berth, of one traveller on one leg. */
export type ReservationId = Branded<string, 'ReservationId'>;
/** UUID. */
export type OfferId = Branded<string, 'OfferId'>;
/** `SVC:DistributionChannel:PaymentPage` */
export type DistributionChannelId = Branded<string, 'DistributionChannelId'>;
/** UUID; names a webhook of one organisation. */
export type WebhookId = Branded<string, 'WebhookId'>;
/** 1 to 2^53 − 1. */
export type PaymentId = Branded<number, 'PaymentId'>;
/** 1 to 2^53 − 1; unique among all payments. */
export type TransactionId = Branded<number, 'TransactionId'>;
/** 1 to 2^53 − 1; names what is paid back to a customer at once. */
export type CreditId = Branded<number, 'CreditId'>;
/** UUID. */
export type PaymentPageId = Branded<string, 'PaymentPageId'>;
/** UUID; names a penalty fare invoice. */
export type InvoiceId = Branded<string, 'InvoiceId'>;
/** 1 to 18 digits; names a settlement of one organisation and channel. */
export type SettlementId = Branded<string, 'SettlementId'>;
/** 1 to 2^53 − 1; names the tickets of one order line. */
export type TicketGroupId = Branded<number, 'TicketGroupId'>;
/** 1 to 2^53 − 1; names one ticket. It is in its barcode. */
export type TicketDistributionId = Branded<number, 'TicketDistributionId'>;
/** UUID; names one receipt, or one copy of it. */
export type ReceiptReference = Branded<string, 'ReceiptReference'>;
/** UUID; names a refund of one order. */
export type RefundId = Branded<string, 'RefundId'>;
