/** Mails of the embedded identity provider (services/src/identity-provider), which sends them itself. */
export {
  type SecurityChange,
  confirmAddressMail,
  existingAccountMail,
  movedAddressMail,
  newAddressMail,
  resetPasswordMail,
  securityChangeMail,
  signInLinkMail,
} from './mails.ts'
