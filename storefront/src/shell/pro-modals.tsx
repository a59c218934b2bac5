import { Button, Icon } from '@purlin/ui'
import { Enhance } from '@purlin/web'
import { namesOf } from '@purlin/web/form-action.ts'
import type { ReactNode } from 'react'
import type { ShopContext } from './context.ts'
import type { ProModal } from './due-modal.ts'
import styles from './pro-modals.module.css'
import { vatForm } from './vat-form.ts'
import { hasNetPrices } from './words.ts'

const field = namesOf(vatForm)

/** Modals of the professional storefront. Closed, and so unseen, until a script finds that they have not been read. */
export function ProModals({ context }: { context: ShopContext }): ReactNode {
  const { t, mode } = context
  if (mode !== 'b2b') return null
  return (
    <Enhance with="pro-modals" when="load">
      <Modal modal="b2b_welcome" title={t('pro-modal.welcome.title')} context={context}>
        <p>{t('pro-modal.welcome.text')}</p>
        <ul>
          <li>{t('pro-modal.welcome.prices')}</li>
          <li>{t('pro-modal.welcome.orders')}</li>
        </ul>
        <form method="dialog">
          <Button>{t('pro-modal.welcome.go')}</Button>
        </form>
      </Modal>
      {hasNetPrices(context) && (
        <Modal modal="b2b_vat_modal" title={t('pro-modal.vat.title')} context={context}>
          <p>{t('pro-modal.vat.text')}</p>
          <p>{t('pro-modal.vat.change')}</p>
          <div className={styles.choices}>
            <form method="dialog">
              <Button>{t('pro-modal.vat.keep')}</Button>
            </form>
            <form method="post" action="/">
              <input type="hidden" name={field('vat')} value="with" />
              <input type="hidden" name={field('back')} defaultValue="/" />
              <Button look="secondary">{t('pro-modal.vat.show')}</Button>
            </form>
          </div>
        </Modal>
      )}
    </Enhance>
  )
}

interface ModalProps {
  modal: ProModal
  title: string
  context: ShopContext
  children: ReactNode
}

function Modal({ modal, title, context: { t }, children }: ModalProps): ReactNode {
  return (
    <dialog className={`${styles.modal} on-page`} data-modal={modal} aria-labelledby={`${modal}-title`}>
      <div className={styles.box}>
        <form method="dialog" className={styles.close}>
          <button aria-label={t('shell.close')}>
            <Icon name="close" size={20} />
          </button>
        </form>
        <h2 id={`${modal}-title`} tabIndex={-1} autoFocus>
          {title}
        </h2>
        {children}
      </div>
    </dialog>
  )
}
