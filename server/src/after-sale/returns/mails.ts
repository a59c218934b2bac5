import { cancellationDecisionMail, cancellationRequestMail } from './cancellation-mails.ts'
import { returnMail, returnNoticeMail } from './return-mails.ts'

/** Previewed at /dev/mails. */
export const mails = [returnMail, returnNoticeMail, cancellationRequestMail, cancellationDecisionMail]
