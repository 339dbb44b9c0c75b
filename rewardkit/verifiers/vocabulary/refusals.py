"""How a writer says that it has no answer, as pieces of patterns: in English and elsewhere.

A refusal is a negated ability before a verb of solving (`cannot` ... `determine`), or a phrase
that gives up alone (`no idea`). A person of the task who cannot do something refuses nothing, so
that English names its subject: the writer, or nobody.
"""

from __future__ import annotations

from rewardkit.verifiers.vocabulary.patterns import alternatives
from rewardkit.verifiers.vocabulary.phrases import ANSWER_LABELS, CONCLUSIONS_ELSEWHERE, STATING

_WRITER = (
    r"(?:(?:\A|[.!?;:,(\n>\"]\s?|[-–—]\s|\b(?:and|but|so|because|though|regret\sthat)\s)"
    r"|\b(?:I|we|one|you|nobody|no\sone)(?:['’](?:m|ve|d|ll|re))?\s?"
    r"(?:(?:am|are|was|were|have|has|had|been|be|must|still|just|really|also|simply|currently|sadly"
    r"|honestly|unfortunately|therefore)\s){0,3})"
)
_UNABLE = (
    r"(?:(?:cannot|can['’]t|can\snot|could\snot|couldn['’]t|won['’]t|will\snot|would\snot)"
    r"|(?:not\s(?:been\s)?|haven['’]t\sbeen\s|hasn['’]t\sbeen\s|wasn['’]t\s|un)able\sto"
    r"|(?:incapable|not\scapable)\sof"
    r"|(?:do|did)(?:\snot|n['’]t)\s(?:manage\sto|succeed\sin|know\s(?:how|enough)\sto|see\show\sto)"
    r"|(?:fail(?:ed)?|(?:refuse|decline)d?|(?:never|not)\smanaged?)\sto"
    r"|haven['’]t\smanaged\sto|did\snot|didn['’]t|have\snot|haven['’]t)"
)
_DONE = r"(?:\s(?:and|or)\s[a-z]+)?"
_TASK = (
    r"(?:\s(?:for\syou|out))?\s?(?:[.,;:!?()\n\d—–-]|\Z|\b(?:it|that|this|these|you|your|any|an?"
    r"|the|my|our|its)"
    r"(?:\s(?:is|one|out|up)\b|\s?[.,;:!?()\n]|\s?\Z|\s(?:[^\W\d_]+\s){0,2}?(?:answers?|solutions?|problem"
    r"|question|exercise|task|result|calculations?|computation|response|equations?|system"
    r"|requests?|proof|(?:right|final|exact)\s(?:value|number)|image|picture|figure|diagram|photo"
    r"|graph|file|table|attachment|probability|value\sasked)\b|\s(?:in|within|after|with|from"
    r"|because|for|without|here|due|by|at|yet|now|today)\b)"
    r"|(?:in|within|after|from|because|without|due|here|how|what|where|why|which|whether)\b"
    r"|(?:answers?|solutions?|problem|question|exercise|tasks?)\b)"
)
_SOLVE = (
    r"(?:even\s|actually\s|possibly\s|currently\s|yet\s|really\s)?"
    r"(?:solv(?:e|ing)|answer(?:ing)?|determin(?:e|ing)|f(?:ind|ound|inding)|comput(?:e|ing)"
    r"|calculat(?:e|ing)|work|figure|finish(?:ed)?|complet(?:e|ed|ing)|help|assist|respond|reply"
    r"|do(?=\s(?:that|this|it)\b)|tell|say|derive|evaluate|provide|give|produce|offer|come\sup"
    r"|see|view|open|access|read|process|interpret|understand)"
    rf"(?:\s(?:with|to))?{_DONE}"
)
UNABLE = (
    rf"{_WRITER}{_UNABLE}\s{_SOLVE}{_TASK}"
    rf"|\bno\sway\s(?:(?:I|we)\scan|for\s(?:me|us)\sto)\s{_SOLVE}{_TASK}"
    rf"|\b(?:impossible|n['’]t\spossible|not\spossible)\sfor\s(?:me|us)\sto\s{_SOLVE}{_TASK}"
    r"|\bI\s(?:do\snot|don['’]t|did\snot|didn['’]t|cannot|can['’]t)\s(?:really\s|even\s)?"
    r"(?:know|understand|follow|remember|recall|get)\s?"
    r"(?:[.,;:!?\n]|\Z|(?:the|this|that|what|which|it|how|where|whether|enough)\b)"
    r"|\bwe\s(?:do\snot|don['’]t)\sknow\s(?:the\sanswer|how\sto\s(?:solve|answer))\b"
    r"|\bnobody\s(?:can\s)?(?:knows?|tells?)\b"
    r"|\bI\s(?:(?:must|have\sto|will|would)\s)?(?:decline|refuse|skip|abstain)(?:\s(?:this|that|it"
    r"|to|question)\b|\W*\Z|[.,;])"
    r"|\bI(?:['’]ll|\swill|\shave\sto|\smust)?\spass\son\b"
    r"|\bI(?:['’]ll|\swill|\shave\sto|\smust|\shave)?\s(?:give|gave|given)\sup\b|(?:\A|[.!,]\s)giving\sup\b"
    r"|\bI(?:['’]m|\sam|\swas|\sgot|\sget)\s(?:completely\s|totally\s|now\s)?(?:stuck|at\sa\sloss"
    r"|lost)\b"
    r"|\bI\s(?:[a-z]+\s){0,2}leave\s(?:it|this|that|(?:the\s)?question|(?:the\s)?problem)\s(?:\d+\s)?"
    r"(?:unanswered|unsolved|blank|open)\b"
    r"|\b(?:beyond|too\s(?:hard|difficult|complex|complicated|long)\sfor)\s(?:me\b|my\b)"
    r"|\bas\san\s(?:AI|artificial)\b|\bas\sa\s(?:large\s)?language\smodel\b"
    r"|\b(?:do|does|did)(?:\snot|n['’]t)\shave\saccess\b"
    r"|\b(?:sorry|apolog(?:y|ies|i[sz]e)|regret|afraid)\b[^.;\n\d]{0,40}\b(?:can(?:no|['’])t"
    r"|cannot|unable|could\snot|beyond|missing|no\s(?:answer|idea|solution))\b"
    r"|\b(?:un(?:solvable|answerable)|(?:not|n['’]t)\s(?:solvable|answerable|determinable))\b"
    r"|(?:\A|[,.:]\s)no\s(?:answer|solution)s?(?:\s(?:was|were|could\sbe|has\sbeen))?\s(?:found"
    r"|available|reached|given|obtained)\b"
    r"|\bno\s(?:idea|clue)\b"
    r"|\b(?:question|problem|task|statement|text)\s(?:is\s(?:un|not\s)clear|makes\sno\ssense)\b"
    r"|\b(?:all|the\sonly\sthing)\s(?:that\s)?(?:I|we)\s(?:can\s)?(?:say|see|know|tell)\sis\b"
    r"|\b(?:I|we)\s(?:can\s)?only\s(?:say|know|see)\b"
    r"|\A\W*(?:error|exception|time(?:d\s|\s)?out|failure|aborted)\b(?!\s?[:=]?\s?\d)"
    r"|\btime\sis\sup\b|\b(?:calculation|computation|solver|program|search|attempt|derivation)\s"
    r"(?:was\s|has\s)?(?:failed|aborted|stopped|timed\sout|interrupted|cancelled)\b"
)
"""That the writer itself cannot or will not."""
_FACTS = r"(?:information|data|details?|context|input|facts?)"
UNDETERMINED = (
    r"(?<!not\s)(?<!n't\s)\b(?:impossible|not\spossible|n['’]t\spossible|no\sway|infeasible)\s"
    rf"(?:to|of)\s{_SOLVE}(?:{_TASK}|\sfrom\b)"
    r"|(?<!not\s)\b(?:hard|difficult)\s(?:for\s(?:me|us)\s)?to\s(?:say|tell|know|determine)\b"
    r"(?!\sapart)"
    r"|\b(?:cannot|can['’]t|can\snot|could\snot|couldn['’]t)\sbe\s(?:\w+ly\s)?(?:determined|known"
    r"|told|said|calculated|computed|deduced|worked\sout|figured\sout)\b"
    rf"|\b(?:not\senough|insufficient|not\ssufficient|too\slittle)\s(?:\w{{2,9}}\s)?{_FACTS}\b|"
    rf"\b(?:lacks?|lacking|need|require|want|provide|give|send)\s(?:us\s|me\s|you\s)?(?:some\s)?"
    rf"(?:the\s|more\s|further\s|additional\s|missing\s|necessary\s|needed\s){{1,2}}{_FACTS}\b"
    rf"|\b(?:more|further|additional)\s{_FACTS}\s(?:is|are|would\sbe)\s(?:needed|required|necessary)\b"
    rf"|\b{_FACTS}\s(?:is|are|was|were)\s(?:insufficient|missing|lacking|not\s(?:given|provided|enough"
    r"|sufficient|available))\b"
    r"|\bplease\s(?:provide|send|share|upload|attach|show|give)\s(?:me\s|us\s)?(?:the|a|an|your|more)\s"
    r"|\b(?:image|picture|figure|diagram|graph|table|photo)\b[^.,;\n]{0,40}\s(?:is|are|was|seems\sto"
    r"\sbe)\s(?:missing|not\s(?:shown|given|visible|included|attached|available|provided))\b"
)
"""That nobody could tell, or that something is missing without which nobody could."""
_WITHIN = r"[^.!?;:\n。！？；]"
ELSEWHERE = (
    # German
    rf"\b(?:nicht|unmöglich|außerstande|unfähig){_WITHIN}{{0,60}}?\b(?:(?:be)?antworten|lösen"
    r"|lösbar|gelöst|bestimmen|bestimmbar|(?:be|aus)rechn(?:en|bar)|berechnet|ermitteln|finden"
    r"|gefunden|helfen|herausfinden|sagen)\b"
    r"|\bkeine\s(?:(?:\w+e)\s)?(?:antwort|ahnung|idee)\b|\b(?:ich|wir)\b[^.\n]{0,40}\bkeine\slösung|\b(?:ich|wir)\swei(?:ß|ss|sen)\s"
    r"(?:es\s|das\s|die\s\w+\s)?(?:leider\s)?nicht\b|\b(?:ich|wir)\sgeben?\b"
    rf"{_WITHIN}{{0,40}}\sauf\b"
    r"|\bfehl(?:en|t)\b[^.\n]{0,30}\b(?:information|angabe|daten|abbildung|bild)"
    r"|\b(?:nicht\sgenug|nicht\sgenügend|zu\swenige?|unzureichende|nicht\sausreichend)\s?"
    r"(?:informationen|angaben|daten|viele)\b|\b(?:angaben|informationen|daten)\b[^.\n]{0,20}\b"
    r"(?:reichen|genügen)\snicht\b"
    # French
    rf"|\b(?:n['’]|ne\s){_WITHIN}{{1,25}}\b(?:pas|jamais)\b{_WITHIN}{{0,30}}?\b(?:répondre"
    r"|résoudre|résolu|déterminer|trouver|trouvé|calculer|calculé|dire|aider)\b"
    rf"|\b(?:impossible|incapables?)\s(?:{_WITHIN}{{0,20}}\s)?(?:de\s|d['’])(?:\w+\s)?(?:répondre"
    r"|résoudre|déterminer|trouver|calculer|dire)\b|\bj['’]abandonne\b|\baucune\s(?:idée|réponse)\b"
    r"|\bje\sne\s(?:le\s)?sais\spas\b|\binsuffisante?s?\b|\b(?:il\s(?:me\s|nous\s)?manque"
    r"|manquent?)\b|\bpas\sassez\s(?:de\s(?:données|informations)|d['’]informations?)\b"
    # Spanish
    r"|\bno\s(?:se\s|me\s|nos\s|lo\s)?(?:puedo|puede|podemos|pude|pudimos|(?:he|hemos)\spodido"
    r"|fue\sposible|(?:me\s)?es\sposible|ha\ssido\sposible|logr[éo]|logramos|consigo|conseguí"
    r"|supe|sé|sabemos|soy\scapaz\sde|encontr[éo]|hay\s(?:manera|forma|modo)\sde)\b"
    rf"{_WITHIN}{{0,20}}?(?:\b(?:determinar|resolver|encontrar|responder|contestar|calcular|hallar"
    r"|decir|ayudar|saber)|\b(?:la|una|ninguna)\s(?:respuesta|solución))"
    r"|\bimposible\s(?:de\s)?(?:determinar|resolver|encontrar|responder|contestar|calcular|hallar"
    r"|decir|saber)|\bno\s(?:lo\s)?sé\b|\bfaltan?\s(?:\w+\s)?(?:datos|informaci|la\s(?:figura"
    r"|imagen))|\bno\shay\s(?:la\s)?(?:suficientes?|bastantes?)\s|\b(?:informaci[óo]n|datos)\b"
    r"[^.\n]{0,25}\binsuficientes?\b|\bme\srindo\b|\bni\sidea\b|\bninguna\sidea\b"
    # Italian
    r"|\bnon\s(?:si\s|lo\s|ci\s)?(?:posso|possiamo|può|riesco|riusciamo|so|sappiamo"
    r"|sono\s(?:stato\s)?(?:in\sgrado|capace|riuscit[oa])|ho\s(?:potuto|saputo|trovato)"
    r"|(?:mi\s)?è\s(?:stato\s)?possibile)\b"
    rf"{_WITHIN}{{0,20}}?(?:\b(?:rispondere|risolvere|determinare|trovare|calcolare|dire|aiutar)"
    r"|\b(?:la|una|nessuna)\s(?:risposta|soluzione))"
    r"|\bimpossibile\s(?:da\s)?(?:rispondere|risolvere|determinare|trovare|calcolare|dire|sapere)"
    r"|\bnon\slo\sso\b|\bmi\sarrendo\b|\bnessuna\sidea\b|\binsufficient[ie]\b"
    r"|\bmancano\s(?:i\s|le\s|alcun[ie]\s)?(?:dati|informazioni)"
    # Portuguese
    r"|\bnão\s(?:se\s|o\s)?(?:consigo|consegui|conseguimos|posso|podemos|pode|pude|sei|sabemos"
    r"|(?:foi|é)\spossível|sou\scapaz\sde|encontrei|há\scomo)\b"
    rf"{_WITHIN}{{0,20}}?(?:\b(?:resolver|responder|determinar|encontrar|calcular|achar|dizer"
    r"|ajudar|saber)|\b(?:a|uma|nenhuma)\s(?:resposta|solução))"
    r"|\bimpossível\s(?:de\s)?(?:resolver|responder|determinar|encontrar|calcular|dizer|saber)"
    r"|\bnão\ssei\b|\bdesisto\b|\bnenhuma\sideia\b|\bfaltam\s(?:\w+\s)?(?:dados|informaç)"
    r"|\bnão\shá\s(?:(?:informaç\w+|dados)\s)?suficientes?\b|\bdados\b[^.\n]{0,15}\binsuficientes"
    # Dutch, Polish
    rf"|\bniet{_WITHIN}{{0,40}}\b(?:oplossen|beantwoorden|bepalen|berekenen|vinden)\b"
    r"|\bweet\s(?:het\s)?niet\b|\bgeen\s(?:idee|antwoord)\b"
    r"|\bnie\s(?:mogę|możemy|można|potrafię|umiem|wiem|da\ssię|udało\smi)\b"
    # Russian
    rf"|\bне\s(?:могу|может|можем|смог\w*|удалось|удаётся|удается|умею|получилось|способ\w+"
    r"|в\sсостоянии|представляется\sвозможным|нашёл|нашел|нашли|знаю,?\sкак)\b"
    rf"{_WITHIN}{{0,25}}?(?:решить|найти|ответ|определить|вычислить|сказать|помочь|решени)"
    r"|\b(?:невозможно|нельзя)\s(?:\w+\s)?(?:решить|найти|ответить|определить|вычислить|сказать)"
    r"|\bне\sзнаю\b|\bсдаюсь\b|\bнедостаточно\s(?:данных|информации|сведений|условий)"
    r"|\bне\sхватает\s(?:данных|информации|сведений)|\bпонятия\sне\sимею\b"
    # Chinese
    r"|(?:无法|不能|不会|没法|没办法|无从|难以|未能|無法|不會|沒辦法)[^。！？，,\n]{0,8}?"
    r"(?:解(?!释)|求|答|确定|確定|计算|計算|判断|判斷|得出|得到|算|做|找到|完成|查看|看到|提供|帮)"
    r"|(?:我|还是)不(?:知道|清楚|确定|懂)|(?:解|求|算|答|做)不(?:出|了|来)"
    r"|(?:信息|条件|数据|資訊|已知)(?:量)?(?:不足|不够|缺失|不充分|不完整)|缺少[^。]{0,6}(?:信息|条件|数据)"
    r"|放弃|没有?(?:找到|得到)[^。]{0,4}(?:答案|解)|没有?(?:头绪|思路)|帮不了"
    # Japanese
    r"|(?:解け|答えられ|求められ|求まら|(?:わか|分か)り|判断でき|決められ|決まら|(?:求める|解く|答える)ことができ"
    r"|(?:計算|回答|お答え|お答えすることが|特定|解答|決定)でき|見つけられ|見つかり)(?:ません|ない|なかった|ず)"
    r"|(?:わか|分か)らない|情報が(?:不足|足り)|(?:諦め|あきらめ)"
    # Korean
    r"|(?:풀|답할|구할|알|계산할|결정할|대답할|찾을|답변할|답변드릴|판단할|도와드릴)\s?수(?:가)?\s?없"
    r"|모르겠|모릅니다|(?:정보|조건|자료)가\s?(?:부족|없)|포기|(?:풀|찾|구하)지\s?못"
)
"""The same in other languages; a person of the task concludes behind it, the writer does not."""
_LABEL = (
    rf"{alternatives(ANSWER_LABELS)}[^.\n。]{{0,20}}?"
    rf"(?:[:：]|\s?{alternatives(STATING)}(?![a-zà-ÿ]))"
)
CONCLUDES = (
    r"\b(?:so|thus|hence|therefore|thereby|consequently|(?<!only\s)gives?|giving|gave|gets?|got|getting"
    r"|yields?|obtain(?:s|ed|ing)?|makes?|making|leaves?|leaving|equals?|conclude|comes?\sto"
    r"|turns?\sout|must\sbe|has\sto\sbe|(?:find|see|found|reali[sz]e)\sthat)\b"
    r"|\b(?:answer|result|value|total|sum|product|difference|solution|probability|maximum|minimum)\s(?:is"
    r"|=|:|must\sbe)"
    r"|[.;,:]\s(?:but\s|however,?\s|instead,?\s)?(?:using|since|applying|substituting|counting)\b"
    r"|\b(?:with|from|using)\s(?:the\s)?(?:second|other|both|latter|last|third)\b|\btogether\s"
    r"|[.;,:][^.;]*\b[a-zA-Z]\w?\s*=\s*\S*\d|[.;,:]\D*\d[^.;]{1,40}=\s*\S*\d"
    rf"|\b{alternatives(CONCLUSIONS_ELSEWHERE - {'así'})}\b|\bas[ií]\sque\b|{_LABEL}"
    r"|所以|因此|因而|故|于是|得到|等于|一共|共有|总共|即|だから|よって|したがって|ゆえに|значит|따라서|그래서|그러므로"
)
"""What a refusal goes on with where another way leads to an answer."""
