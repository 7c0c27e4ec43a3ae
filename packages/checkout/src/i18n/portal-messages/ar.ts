import type { PortalMessages } from "./shape.ts"

export const ar: PortalMessages = {
  title: (merchant) => `حسابك لدى ${merchant}`,
  nav: { label: "الحساب", overview: "نظرة عامة", invoices: "الفواتير", methods: "طرق الدفع" },
  backToOverview: "العودة إلى النظرة العامة",
  noSubscriptions: { title: "لا يوجد اشتراك بعد", text: "عندما تشترك ستجد هنا كل ما يخص اشتراكك." },
  details: {
    title: "بياناتك",
    name: "الاسم",
    nameInvalid: "أدخل الاسم في سطر واحد، بحد أقصى 200 حرف.",
    cardNumber: "لا تُدخل رقم بطاقة هنا.",
    save: "حفظ"
  },
  status: { trialing: "تجربة", active: "نشط", past_due: "دفعة متأخرة", paused: "متوقف مؤقتًا", canceled: "منتهٍ" },
  facts: {
    next: "الدفعة القادمة",
    nextOn: (amount, day) => `${amount} في ${day}`,
    method: "يُدفع بواسطة",
    trialUntil: (day) => `مجاني حتى ${day}`,
    endsOn: (day) => `يستمر حتى ${day} ولا يُجدَّد`,
    endedOn: (day) => `انتهى في ${day}`,
    paused: "لا يُخصم شيء أثناء التوقف المؤقت",
    changesTo: (plan, day) => `يتغير إلى ${plan} في ${day}`,
    changing: (plan) => `يتغير إلى ${plan} فور تأكيد الدفع`,
    credit: (amount) => `لديك رصيد قدره ${amount} لها`,
    noMethod: "لا توجد طريقة دفع بعد"
  },
  pastDue: {
    title: "لم تتم دفعتك الأخيرة",
    text: (amount) => `المبلغ المتبقي للدفع ${amount}.`,
    retry: (day) => `سنحاول مرة أخرى في ${day}.`,
    stopped: "لن تُعاد المحاولة تلقائيًا.",
    update: "غيّر بطاقتك لتدفع الآن وتحتفظ باشتراكك.",
    ask: (merchant) => `يرجى التواصل مع ${merchant} للاحتفاظ باشتراكك.`
  },
  actions: {
    changeDetails: "تعديل البيانات",
    changePlan: "تغيير الخطة",
    cancel: "إلغاء الاشتراك",
    uncancel: "الاحتفاظ بالاشتراك",
    pause: "إيقاف مؤقت",
    resume: "استئناف",
    updateCard: "تغيير البطاقة"
  },
  invoices: {
    title: "الفواتير",
    none: "لا توجد فواتير بعد.",
    status: { draft: "مسودة", open: "مستحقة الدفع", paid: "مدفوعة", void: "ملغاة", uncollectible: "غير مدفوعة" },
    pdf: (number) => `الفاتورة ${number} بصيغة PDF`,
    pdfShort: "PDF",
    view: (number) => `عرض الفاتورة ${number}`,
    viewShort: "عرض",
    pay: (amount) => `دفع ${amount}`,
    older: "فواتير أقدم",
    newer: "فواتير أحدث"
  },
  methods: {
    title: "طرق الدفع",
    none: "لا توجد طريقة دفع محفوظة.",
    ending: (brand, digits) => `${brand} تنتهي بالأرقام ${digits}`,
    otherKind: { card: "بطاقة", bank_account: "حساب مصرفي", usdc_wallet: "محفظة USDC" },
    expires: (date) => `صالحة حتى ${date}`,
    expired: (date) => `انتهت صلاحيتها ${date}`,
    defaultMethod: "تُستخدم للدفع",
    add: "استخدام بطاقة أخرى",
    addText: "ستُدفع الدفعات القادمة بهذه البطاقة.",
    addOwing: (amount) => `هناك ${amount} متأخرة، وتُخصم الآن من هذه البطاقة.`,
    save: "حفظ البطاقة",
    savePaying: (amount) => `حفظ البطاقة ودفع ${amount}`
  },
  plan: {
    title: "تغيير الخطة",
    choose: "اختر خطتك",
    current: "خطتك",
    none: "لا توجد خطة أخرى يمكن التغيير إليها.",
    next: "متابعة",
    unchosen: "اختر خطة أولًا.",
    previewTitle: (plan) => `التغيير إلى ${plan}`,
    from: "الآن",
    to: "الجديدة",
    starts: "تبدأ",
    atOnce: "فورًا",
    unused: (plan) => `الوقت غير المستخدم من ${plan}`,
    rest: (plan) => `الوقت المتبقي من ${plan}`,
    period: (plan) => plan,
    earlier: "من تغييرات سابقة",
    credit: "رصيدك",
    carried: "يبقى رصيدًا لدفعتك القادمة",
    span: (from, to) => `من ${from} إلى ${to}`,
    lines: "تفاصيل المبلغ",
    dueNow: "المستحق الآن",
    nothingNow: "لا يُخصم شيء الآن.",
    onNext: (day) => `يُضاف إلى دفعتك في ${day}`,
    lessNext: (day) => `يُخصم من دفعتك في ${day}`,
    thenFrom: (price, day) => `${price} ابتداءً من ${day}`,
    confirm: "تأكيد التغيير",
    confirmPaying: (amount) => `التغيير ودفع ${amount}`,
    undo: "الاحتفاظ بخطتي",
    undoText: (plan) => `تبقى على ${plan}، ولا يحدث التغيير المقرر.`,
    holds: "هذا المبلغ ثابت لمدة ساعة."
  },
  cancel: {
    title: (plan) => `هل تريد إلغاء ${plan}؟`,
    text: (day) => `يستمر حتى ${day} كما دفعت، ولا يُجدَّد. يمكنك العدول عن ذلك حتى حينه.`,
    owed: (amount) => `يُخصم في ذلك اليوم ${amount} من تغييرات سابقة.`,
    pastDue: "لن تُعاد محاولة الدفعة المتأخرة تلقائيًا.",
    confirm: "إلغاء الاشتراك",
    keep: "الاحتفاظ به"
  },
  pause: {
    title: (plan) => `هل تريد إيقاف ${plan} مؤقتًا؟`,
    text: "لا يُخصم شيء حتى تستأنفه.",
    left: (days) => `تحتفظ بما دفعت ثمنه: ${days}.`,
    unpaid: "لا تُطلب الدفعة المتأخرة بعد ذلك، ولا يُحتفظ بالوقت المقابل لها.",
    confirm: "إيقاف الاشتراك مؤقتًا"
  },
  resume: {
    title: (plan) => `هل تريد استئناف ${plan}؟`,
    text: (day) => `يستمر فورًا. تُستحق الدفعة القادمة في ${day}.`,
    confirm: "استئناف الاشتراك"
  },
  pay: {
    title: (number) => `دفع الفاتورة ${number}`,
    with: "يُدفع بواسطة",
    confirm: (amount) => `دفع ${amount}`,
    other: "استخدام بطاقة أخرى",
    once: "تُستخدم هذه البطاقة لدفع هذه الفاتورة فقط، ولن تُستخدم للفواتير اللاحقة."
  },
  done: {
    planChanged: { title: "تم تغيير خطتك", text: (plan) => `أنت الآن على ${plan}.` },
    planScheduled: { title: "ستتغير خطتك", text: (plan, day) => `تبقى على خطتك حتى ${day}، ثم تصبح ${plan}.` },
    planKept: { title: "تبقى خطتك كما هي", text: (plan) => `تبقى على ${plan}.` },
    planPending: { title: "جارٍ تأكيد دفعتك", text: "تتغير خطتك بعد ذلك. يمكنك إغلاق هذه الصفحة؛ لا يُخصم شيء مرتين." },
    planDeclined: { title: "لم تتم الدفعة", text: "لم تتغير خطتك، ولم يُخصم منك شيء." },
    cancelled: { title: "تم إلغاء اشتراكك", text: (day) => `يستمر حتى ${day}، ولا يُجدَّد شيء بعد ذلك.` },
    uncancelled: { title: "اشتراكك مستمر", text: (day) => `يُجدَّد في ${day} كما كان.` },
    paused: { title: "اشتراكك متوقف مؤقتًا", text: "لا يُخصم شيء حتى تستأنفه." },
    resumed: { title: "اشتراكك مستمر", text: (day) => `تُستحق الدفعة القادمة في ${day}.` },
    cardSaved: { title: "تم حفظ بطاقتك", text: "ستُدفع بها الدفعات القادمة." },
    cardPaid: { title: "تم حفظ بطاقتك وتمت الدفعة", text: (amount) => `تم دفع ${amount}. اشتراكك مستمر.` },
    cardDeclined: {
      title: "تم حفظ بطاقتك، لكن الدفعة لم تتم",
      text: (amount) => `ما زال ${amount} مستحقًا. استخدم بطاقة أخرى أو اسأل مصرفك عن السبب.`
    },
    paid: { title: "شكرًا، تم استلام دفعتك", text: (amount) => `دفعت ${amount}.` },
    payDeclined: {
      title: "لم تتم الدفعة",
      text: (amount) => `ما زال ${amount} مستحقًا ولم يُخصم منك شيء. استخدم بطاقة أخرى أو اسأل مصرفك عن السبب.`
    },
    pending: { title: "جارٍ تأكيد دفعتك", text: "يستغرق ذلك عادةً بضع ثوانٍ. يمكنك إغلاق هذه الصفحة؛ لا يُخصم شيء مرتين." }
  },
  changedMeanwhile: { title: "لقد تغيّر شيء", text: "تغيّر اشتراكك منذ عرض هذه الصفحة. لم يُخصم شيء. يرجى المراجعة مرة أخرى." },
  notAllowed: { title: "لا يمكن فعل ذلك هنا", text: "لم يتغير شيء." },
  notPossible: { title: "هذا غير ممكن الآن", text: "لم يتغير شيء ولم يُخصم شيء. تجد حالة اشتراكك في النظرة العامة." },
  noCard: "تعذّر استخدام بيانات البطاقة. يرجى إدخالها مرة أخرى.",
  expired: { title: "انتهت صلاحية هذه الصفحة", text: (merchant) => `حفاظًا على أمانك تعمل لمدة ساعة واحدة. افتحها مرة أخرى من ${merchant}.` },
  revoked: { title: "أُغلقت هذه الصفحة", text: (merchant) => `لم تعد تعمل. افتحها مرة أخرى من ${merchant}.` }
}
