/** The queue of tickets, receipts and their mails. Areas share it, so that one worker holds the signing keys and the mail server. */
export const SALES_DOCUMENTS_QUEUE = 'sales-documents';
