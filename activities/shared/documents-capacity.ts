/** What a process of the role `sales-documents` does at once. Callers: its manifest, its role. */

export const DOCUMENT_ACTIVITIES_AT_ONCE = 20;

/** The share of them that may wait for a mail server. The others make tickets, whatever becomes of mails. */
const MAIL_SHARE = 0.4;

export const MAILS_AT_ONCE = Math.floor(DOCUMENT_ACTIVITIES_AT_ONCE * MAIL_SHARE);
