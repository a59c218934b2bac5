/** Mails of the embedded identity provider (services/src/identity-provider), which sends them itself. */
export {
  type AddressNews,
  type SecurityChange,
  addressNewsMail,
  addressReminderMail,
  agreeAddressMail,
  confirmAddressMail,
  existingAccountMail,
  movedAddressMail,
  newAddressMail,
  resetPasswordMail,
  secondStepEndsMail,
  securityChangeMail,
  signInLinkMail,
} from './mails.ts'
