import { Button, Icon, Select } from '@purlin/ui'
import type { ReactNode } from 'react'
import room from '../account/account.module.css'
import type { ConversationFragment, ConversationMessageFragment } from '../generated/documents.ts'
import type { ShopContext } from '../shell/context.ts'
import { conversationField as field, reportReasons } from './conversation-form.ts'
import styles from './messages.module.css'

interface Props {
  message: ConversationMessageFragment
  conversation: ConversationFragment
  isLast: boolean
  context: ShopContext
}

/** One message, with its files; those of others can be rated or reported. */
export function ConversationMessage({ message, conversation: { sellerName, viewer }, isLast, context: { t, formats } }: Props): ReactNode {
  const { seq, author, body, isMasked, isUnread, at, files } = message
  const isOwn = author === viewer
  return (
    <li className={isOwn ? `${styles.message} ${styles.own}` : styles.message} id={isLast ? 'latest' : `message-${seq}`}>
      <p className={styles.author}>
        <b>{t('messages.author', { author, seller: sellerName })}</b>
        <time className={room.quiet} dateTime={at}>
          {formats.dateTime(at)}
        </time>
        {isUnread && <span className={styles.badge}>{t('messages.is-new')}</span>}
      </p>
      {body === '' ? <p className={room.quiet}>{t('messages.erased')}</p> : <p className={styles.body}>{body}</p>}
      {isMasked && <p className={room.quiet}>{t('messages.masked')}</p>}
      {files.length > 0 && (
        <ul className={styles.files}>
          {files.map((file) => (
            <li key={file.id}>
              <a href={file.url}>
                <Icon name="document" size={18} />
                {file.name}
              </a>
            </li>
          ))}
        </ul>
      )}
      {author === 'seller' && viewer === 'buyer' && <Rating message={message} t={t} />}
      {!isOwn && author !== 'operator' && body !== '' && <Report seq={seq} t={t} />}
    </li>
  )
}

function Rating({ message: { seq, rating }, t }: { message: ConversationMessageFragment; t: ShopContext['t'] }): ReactNode {
  if (rating !== null) return <p className={room.quiet}>{t('messages.rated', { stars: rating })}</p>
  return (
    <form method="post" className={styles.rating}>
      <input type="hidden" name={field('do')} value="rate" />
      <input type="hidden" name={field('seq')} value={seq} />
      <span id={`helpful-${seq}`}>{t('messages.helpful')}</span>
      <span id={`scale-${seq}`} className={room.quiet}>
        {t('messages.helpful-scale')}
      </span>
      <span role="group" aria-labelledby={`helpful-${seq}`} aria-describedby={`scale-${seq}`}>
        {[1, 2, 3, 4, 5].map((stars) => (
          <button key={stars} className={styles.star} name={field('stars')} value={stars} aria-label={t('messages.stars', { stars })}>
            {stars}
          </button>
        ))}
      </span>
    </form>
  )
}

function Report({ seq, t }: { seq: number; t: ShopContext['t'] }): ReactNode {
  return (
    <details className={styles.report}>
      <summary>{t('messages.report')}</summary>
      <form method="post">
        <input type="hidden" name={field('do')} value="report" />
        <input type="hidden" name={field('seq')} value={seq} />
        <Select
          id={`reason-${seq}`}
          name={field('reason')}
          label={t('messages.report.reason')}
          options={reportReasons.map((value) => ({ value, label: t(`messages.report.${value}`) }))}
        />
        <Button look="secondary" size="s">
          {t('messages.report.send')}
        </Button>
      </form>
    </details>
  )
}
