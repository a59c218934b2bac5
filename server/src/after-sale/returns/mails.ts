import { cancellationDecisionMail, cancellationRequestMail } from './cancellation-mails.ts'
import { collectionMail } from './collection-mails.ts'
import { returnAwaitedMail, returnMail, returnNoticeMail } from './return-mails.ts'

/** Previewed at /dev/mails. */
export const mails = [returnMail, collectionMail, returnNoticeMail, returnAwaitedMail, cancellationRequestMail, cancellationDecisionMail]
