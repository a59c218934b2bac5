import { Button, ButtonLink } from '@purlin/ui'
import type { ReactNode } from 'react'
import styles from '../account/account.module.css'
import type { ShopContext } from '../shell/context.ts'
import { sitesField as field } from './sites-form.ts'

interface Props {
  /** A building site or cost centre. */
  of: { id: string; isArchived: boolean }
  name: string
  editHref: string
  /** The form's value of `do`. */
  archive: 'archive-site' | 'archive-centre'
  hasActions: boolean
  context: ShopContext
  children: ReactNode
}

/** A card of the company's sites or cost centres, which can be edited, archived and restored. */
export function ArchivableCard({
  of: { id, isArchived },
  name,
  editHref,
  archive,
  hasActions,
  context: { t },
  children,
}: Props): ReactNode {
  return (
    <li className={styles.card}>
      {isArchived && (
        <p className={styles.marks}>
          <span className={`${styles.state} ${styles.ended}`}>{t('site.archived')}</span>
        </p>
      )}
      {children}
      {hasActions && (
        <div className={styles.cardActions}>
          <ButtonLink look="secondary" size="s" href={editHref} aria-label={t('account.edit-of', { name })}>
            {t('account.edit')}
          </ButtonLink>
          <form method="post">
            <input type="hidden" name={field('id')} value={id} />
            <input type="hidden" name={field('isArchived')} value={isArchived ? 'no' : 'yes'} />
            <Button
              look="quiet"
              size="s"
              name={field('do')}
              value={archive}
              aria-label={t(isArchived ? 'site.restore-of' : 'site.archive-of', { name })}
            >
              {t(isArchived ? 'site.restore' : 'site.archive')}
            </Button>
          </form>
        </div>
      )}
    </li>
  )
}
