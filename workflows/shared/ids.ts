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
