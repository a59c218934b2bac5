import type { Language } from '@purlin/contract/markets.ts'
import type { MessageFault } from './message.ts'

const english = {
  fault: {
    missing: 'Please fill this in.',
    'too-long': 'This is too long.',
    signs: 'This holds characters we cannot take, such as < or >.',
    'email-format': 'Please enter an e-mail address such as name@example.com.',
  } satisfies Record<MessageFault, string> as Record<MessageFault, string>,
  'message-invalid': 'Something is missing or cannot be read.',
  'too-many-messages': 'You have sent us several messages in a short time. Please wait a little, or call us.',
  message: {
    subject: 'We have received your message {reference}',
    text: 'Thank you for writing to us. Your message has arrived and bears the reference {reference}. Please name it if you write again.',
  },
  withdrawal: {
    subject: 'We have received your cancellation {reference}',
    text: 'Your declaration that you cancel the contract arrived on {at}. It bears the reference {reference}. The seller tells you where to send the goods; please send them within 14 days.',
  },
  name: 'Name',
  order: 'Order number',
  goods: 'Goods',
  regards: 'Your Purlin team',
}
export type ContactWords = typeof english

const french: ContactWords = {
  fault: {
    missing: 'Veuillez remplir ce champ.',
    'too-long': 'Ce texte est trop long.',
    signs: 'Ce texte contient des caractères que nous ne pouvons pas accepter, comme < ou >.',
    'email-format': 'Indiquez une adresse e-mail, par exemple nom@exemple.fr.',
  },
  'message-invalid': 'Une indication manque ou n’est pas lisible.',
  'too-many-messages': 'Vous nous avez envoyé plusieurs messages en peu de temps. Patientez un peu ou appelez-nous.',
  message: {
    subject: 'Nous avons bien reçu votre message {reference}',
    text: 'Merci de nous avoir écrit. Votre message est arrivé et porte la référence {reference}. Rappelez-la si vous nous écrivez à nouveau.',
  },
  withdrawal: {
    subject: 'Accusé de réception de votre rétractation {reference}',
    text: 'Votre déclaration de rétractation est arrivée le {at}. Elle porte la référence {reference}. Le vendeur vous indique où renvoyer les articles ; renvoyez-les dans un délai de quatorze jours.',
  },
  name: 'Nom',
  order: 'Numéro de commande',
  goods: 'Articles',
  regards: 'L’équipe Purlin',
}

const german: ContactWords = {
  fault: {
    missing: 'Bitte füllen Sie dieses Feld aus.',
    'too-long': 'Das ist zu lang.',
    signs: 'Hier stehen Zeichen, die wir nicht annehmen können, etwa < oder >.',
    'email-format': 'Bitte geben Sie eine E-Mail-Adresse an, zum Beispiel name@beispiel.de.',
  },
  'message-invalid': 'Eine Angabe fehlt oder ist nicht lesbar.',
  'too-many-messages': 'Sie haben uns in kurzer Zeit mehrere Nachrichten geschickt. Bitte warten Sie etwas oder rufen Sie uns an.',
  message: {
    subject: 'Ihre Nachricht {reference} ist angekommen',
    text: 'vielen Dank für Ihre Nachricht. Sie ist angekommen und hat das Zeichen {reference}. Nennen Sie es bitte, wenn Sie uns noch einmal schreiben.',
  },
  withdrawal: {
    subject: 'Eingangsbestätigung Ihres Widerrufs {reference}',
    text: 'Ihre Widerrufserklärung ist am {at} eingegangen. Sie hat das Zeichen {reference}. Der Händler teilt Ihnen mit, wohin Sie die Ware senden; bitte senden Sie sie binnen 14 Tagen ab.',
  },
  name: 'Name',
  order: 'Bestellnummer',
  goods: 'Waren',
  regards: 'Ihr Purlin-Team',
}

const spanish: ContactWords = {
  fault: {
    missing: 'Rellena este campo.',
    'too-long': 'Este texto es demasiado largo.',
    signs: 'Hay caracteres que no podemos aceptar, como < o >.',
    'email-format': 'Indica un correo electrónico, por ejemplo nombre@ejemplo.es.',
  },
  'message-invalid': 'Falta un dato o no se puede leer.',
  'too-many-messages': 'Nos has enviado varios mensajes en poco tiempo. Espera un poco o llámanos.',
  message: {
    subject: 'Hemos recibido tu mensaje {reference}',
    text: 'Gracias por escribirnos. Tu mensaje ha llegado con la referencia {reference}. Indícala si vuelves a escribirnos.',
  },
  withdrawal: {
    subject: 'Acuse de recibo de tu desistimiento {reference}',
    text: 'Tu declaración de desistimiento llegó el {at} con la referencia {reference}. El vendedor te indicará adónde enviar los artículos; envíalos en un plazo de 14 días naturales.',
  },
  name: 'Nombre',
  order: 'Número de pedido',
  goods: 'Artículos',
  regards: 'El equipo de Purlin',
}

const italian: ContactWords = {
  fault: {
    missing: 'Compila questo campo.',
    'too-long': 'Questo testo è troppo lungo.',
    signs: 'Ci sono caratteri che non possiamo accettare, come < o >.',
    'email-format': 'Indica un indirizzo e-mail, per esempio nome@esempio.it.',
  },
  'message-invalid': 'Manca un dato o non è leggibile.',
  'too-many-messages': 'Ci hai inviato più messaggi in poco tempo. Attendi un po’ o chiamaci.',
  message: {
    subject: 'Abbiamo ricevuto il tuo messaggio {reference}',
    text: 'Grazie per averci scritto. Il messaggio è arrivato con il riferimento {reference}. Indicalo se ci scrivi di nuovo.',
  },
  withdrawal: {
    subject: 'Conferma di ricevimento del tuo recesso {reference}',
    text: 'La tua dichiarazione di recesso è arrivata il {at} con il riferimento {reference}. Il venditore ti indica dove spedire gli articoli; spediscili entro 14 giorni.',
  },
  name: 'Nome',
  order: 'Numero dell’ordine',
  goods: 'Articoli',
  regards: 'Il team Purlin',
}

export const contactWords: Record<Language, ContactWords> = { en: english, fr: french, de: german, es: spanish, it: italian }
