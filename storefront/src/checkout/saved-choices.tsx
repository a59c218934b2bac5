import { Button } from '@purlin/ui/button.tsx'
import { namesOf } from '@purlin/web/form-action.ts'
import type { ReactNode } from 'react'
import type { SavedAddressFragment } from '../generated/documents.ts'
import type { ShopContext } from '../shell/context.ts'
import { AddressBlock } from './address-block.tsx'
import { chosenForm } from './address-form.ts'
import styles from './checkout.module.css'

const chosen = namesOf(chosenForm)

/** Saved addresses, each one click away from the next step. */
export function SavedChoices({
  choices,
  context: { t, locale },
}: {
  choices: readonly SavedAddressFragment[]
  context: ShopContext
}): ReactNode {
  return (
    <section className={styles.panel} aria-labelledby="saved">
      <h2 id="saved">{t('checkout.address.saved')}</h2>
      <ul className={styles.choices}>
        {choices.map((address) => (
          <li key={address.id}>
            <AddressBlock address={address} locale={locale} />
            <form method="post">
              <input type="hidden" name={chosen('addressId')} value={address.id} />
              <Button
                name={chosen('do')}
                value="choose"
                look={address.isDeliveryDefault ? 'primary' : 'secondary'}
                aria-label={t('checkout.address.choose-named', { address: address.line1 })}
              >
                {t('checkout.address.choose')}
              </Button>
            </form>
          </li>
        ))}
      </ul>
    </section>
  )
}
