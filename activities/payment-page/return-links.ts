/** Where terminals send the customers of payment pages. Provided by the manifest; the variables are read where it is used. */
import type { ReadConfig } from '../../platform/area.ts';
import { type LinkedPlace, type PageLinks, paymentPageShape } from '../shared/page-links.ts';
import type { PageKeyId } from './page-document.ts';
import { PageTokens } from './page-tokens.ts';

/** As the pages name them. */
const WEB_LANGUAGES: Readonly<Record<string, string>> = { nob: 'nb', nno: 'nn', eng: 'en' };

export class ReturnLinks implements PageLinks {
  readonly #readConfig: ReadConfig;

  constructor(readConfig: ReadConfig) {
    this.#readConfig = readConfig;
  }

  returnUrlOf({ orderId, pageId: id, keyId }: LinkedPlace, language: string): string {
    const config = this.#readConfig(paymentPageShape);
    const tokens = new PageTokens(config.PAYMENT_PAGE_KEYS, config.PAYMENT_PAGE_URL);
    const link = tokens.urlOf({ id, orderId, keyId: keyId as PageKeyId });
    return `${link}/return?lang=${WEB_LANGUAGES[language] ?? language}`;
  }
}
