/** The texts of a mail. The HTML has no images and fetches nothing. */
export interface RenderedMail {
  readonly subject: string;
  readonly html: string;
  readonly text: string;
}
