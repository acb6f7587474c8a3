"""Cues: the words by which a clause puts a brand forward or advises against it. Data only; every pattern is linear.

The texts they are looked for in are in simple script and lower case.
"""

from __future__ import annotations

import re

_WORTH = (
    "考虑|推荐|选|入|下手|上|带|去|吃|用|收|拿|住|玩|喝|掏钱|剁手|购"
    "|买|信[赖任]|一试|试|尝试|拥有|优先|投资|安利|托付|冲|[您你][选买入考]"
)

_CHOICE_EN = "choice|option|pick|bet|contender|buy|winner"

POSITIVE = re.compile(
    r"(?<![您你]的)首选|首推|[备次]选(?=[ *_：:“\"「《]{0,3}$)|优选|优先|首先(?:推荐|考虑)|推荐|力荐|种草"
    r"|(?:强烈|真心|必须|疯狂|给[您你大家]{1,3}|我要?|想)安利|安利(?:一下|给|[您你]|(?=[ *_“\"「《]{0,3}$))"
    rf"|值得(?:{_WORTH})"
    r"|(?:不错|理想|稳妥|合适|很好|较好|更好|最好|最佳|绝佳|明智|可靠|优秀|良好|极佳|安全|好|稳健|靠谱"
    r"|划算|优质|出色|省心|放心|聪明|完美|稳)的?选择"
    r"|不二之选|之选|(?:第一|头号|首要)选择|最优解|最佳答案"
    r"|更(?:为|加)?(?:适合|合适)|最(?:为)?(?:适合|合适)|更?建议(?=[ *_“\"「《]{0,3}$)"
    r"|更建议(?:您|你)?(?:去)?(?:看看?)?"
    r"|(?:可以|可|建议|不妨|应该?|会|大可)(?:您|你)?(?:直接|优先|重点|去)?(?:考虑|选择|选|入手|试试|购买|购入|买)"
    r"|建议(?:您|你)?(?:直接|优先|先|去)?(?:看看?|用)"
    r"|(?:直接|闭眼|无脑|果断|大胆)(?:上|入|冲|买|选|拿下)"
    r"|考虑(?:一下)?(?=[^，。]{0,12}$)"
    r"|(?:(?:投|一票)给|还(?:得|要)(?:是|数|看|属)|当[属推]|我(?:站|押)|直接|闭眼|无脑|(?<=[就钱足够话紧])上|会选择"
    r"|(?:名单|清单)[^，。]{0,3}(?:只有|只剩))(?=[ *_“\"「《]{0,3}$)|莫属|(?:结论|答案)[^，。：:]{0,4}[：:](?=[ *_]*$)"
    r"|^[a-z0-9 +-]{0,12}就(?:足够|够|行|可以)了?(?=[，。！；,;]|$)"
    r"|\bit(?:'d| would) (?:have to )?be(?= (?:the )?$)|\bwhere i'd put my money\b"
    r"|\b(?:steer|point|nudge|push|send) (?:you|people|most people|everyone|friends) to(?:wards?)?\b"
    r"|\bsweet spot\b|\bis (?:the one|what) (?:i'd|i would|i)\b|\b(?:put|spend) (?:that|the|your"
    r"|my) (?:own )?money (?:in)?to(?:wards?)?\b"
    r"|\bits (?:favou?rite|top|best)\b|\bwithout hesitation\b|\bhands down\b|\bno (?:contest|question about it)\b"
    r"|\bgets? (?:my|our) (?:vote|money|nod)\b|\b(?:gives?|gets?|has) the (?:edge|nod)(?: to)?\b"
    r"|\bi(?:'d| would) (?:rank|put|place)(?= (?:the )?$)|\banswer(?=:[ *_]*$)"
    r"|可?以?(?:作为|当作?|做)(?:备选|首选|次选)|(?:我|个人)[^，。]{0,4}更?(?:喜欢|偏爱|中意)(?=[ *_“\"「《]{0,3}$)"
    r"|^ ?[:：–—-] ?(?:buy|get|grab) it\b|\balso (?:great|good|excellent)(?=[ *_]*[:：][ *_]*$)|\bbetter off with\b"
    r"|\bbest [a-z -]{2,40} is(?= (?:the )?$)|\b(?:nothing|nobody|no one) beats(?= (?:the )?$)"
    r"|\bmakes? (?:the )?most sense\b|\bwins? (?:overall|hands down)\b"
    r"|\b(?:best to worst|order of preference|(?:this|that|the following) order)(?=[ *_]{0,3}[:：][ *_]*$)"
    r"|\b(?:verdict|bottom line|conclusion)(?=[ *_]*[:：][ *_]*$)"
    r"|才是(?=[ *_]*(?:[，。；！,;!\n]|$))|(?:中|里|之间)(?:任?选|挑)(?:一|其|择)|^ it is(?=[.!]|$)"
    r"|\bbest(?: overall)?(?=[ *_]*[:：][ *_]*$)"
    r"|(?<!不)(?:都|均)(?:可以|可|行|值得一?选)(?=[ *_]*(?:[，。；！,;!.\n]|$))"
    r"|就选|还是选|放心(?:买|选|入)|闭眼(?:入|买|选)|(?:^|就|则|那么|那就|直接|[：:])[选买](?![择购项型了过的到])|不如(?:多[^，。]{1,6})?(?:买|选|入手?|考虑"
    r"|上)|我(?:还是)?会?拿(?=[ *_“\"「《]{0,3}$)"
    r"|(?:建议|可以|不妨|就|直接)拿(?=[ *_“\"「《]{0,3}$)|[买选入上]就是了|放心(?:下手|用|上)|闭眼都?行"
    r"|倾向于?|更看好|更青睐|更(?:划算|合算|靠谱|稳妥|放心|值得?)"
    r"|(?<![挑评筛候入当竞精甄备人被])[选投](?=[ *_“\"「《]{0,3}$)|买(?=[ *_“\"「《]{0,3}$)"
    r"|\b(?:get|grab|buy|choose|pick|take)(?= (?:the |an? )?(?:used |new |refurbished |second-hand |basic "
    r"|cheap )?$)"
    r"|\b(?:get|rent|buy|choose|pick) [a-z -]{1,24} (?:at|from|with|by)(?= $)"
    r"|\b(?:second|third|next|another) (?:choice|pick|option)\b|\brunner-?up(?! to)\b"
    r"|\bthe one to (?:get|buy|beat|choose|have)\b"
    r"|\b(?:recommendations?|picks?)(?=[ *_]*[:：][ *_]*$)"
    r"|\brecommend(?!ations?\b)|\btop (?:pick|choice|recommendation)|\bbest (?:overall|choice|pick"
    r"|option|value|bet)\b"
    r"|\b(?:great|good|decent|reasonable|respectable|excellent|solid|strong|fantastic|perfect|ideal|safe|smart"
    r"|worthy|reliable|better"
    r"|best|standout|popular|go-to|right|sensible|obvious|clear|wise|sound|favou?rite)"
    rf" (?:{_CHOICE_EN})"
    r"|\bwinner(?=(?: is| goes to)?[:,]?[ *_]*(?:the )?$)"
    rf"|\b(?:saf|smart|strong|easi|wis|sound|solid|fin)e(?:r|st) (?:{_CHOICE_EN})\b|\bhard to beat\b"
    r"|\b(?:budget|value|premium|upgrade|overall|staff|alternative|luxury|travel) (?:pick|choice|favou?rite)\b"
    r"|\bgo (?:with|for)\b|\bworth (?:considering|buying|it|every|having|getting|trying|shortlisting)\b|\b(?:my|our"
    r"|editors?'?) (?:top )?(?:pick|choice|vote|favou?rite|suggestion)\b|\bopt for\b"
    r"|\bconsider\b|\bcan(?:'t|not) go wrong\b|\bi(?:'d| would|'ll| will) (?:choose|pick|get|buy|go|take)\b"
    r"|\bnumber one (?:on|for|pick|choice|recommendation)\b|\btop (?:\d{1,2}|two|three|four|five|six|ten)\b"
    r"|(?:按|依)[^，。]{0,6}顺序"
    r""
    r"|\bhighly recommended\b|\bstick with\b|\bsettle on\b|\blean(?:ing)? towards?\b|\bsuggest(?= |s\b|ing\b|$)"
)
"""Puts forward what the clause speaks of."""

WEAK = re.compile(
    r"值得(?:关注|留意|一看|了解|期待)|可以?(?:关注|看看|看|了解|留意)|也?可(?:进一步)?(?:关注|了解|看)"
    r"|不可忽视|有不错的选择"
    r"|\bworth a look\b|\bpopular (?:brands|choices|options)|主流品牌|常见(?:的)?品牌|知名(?:的)?品牌(?:有|包括|如)"
)
"""Neither for nor against: people disagree whether this recommends."""

NEGATIVE = re.compile(
    r"避雷|避坑|踩雷|踩坑|慎(?:选|买|重|入)|劝退|避开|别(?:买|选|碰|考虑)|不(?:要|宜|必)(?:买|选|考虑|选择|购买|入手)"
    r"|不(?:太|大|是很|怎么)?(?:建议|推荐|值得|首推|考虑|看好|赞同|认同|认可)"
    r"|(?<!如果)(?<!若)(?:并不|不太?)适合[您你](?=[ *_，。；,;]{0,3}$)"
    r"|(?:不|未)(?:被|作|做|予|列入|纳入|在|属于)[^，。]{0,10}推荐|排除"
    r"|(?:don't|do not|wouldn't|never) (?:buy|get|choose|pick)\b"
    r"|(?:没有|没|未)(?:能)?(?:列入|入选|收录|纳入|上榜)|落选|\bleft (?:it |them )?out\b|\bdidn't (?:make|shortlist)\b"
    r"|(?:退出|移出|踢出|跌出|掉出)[^，。]{0,6}(?:推荐|名单|清单|榜)|\baway from(?= (?:the )?$)"
    r"|[：:] ?不值(?![得钱])|不要碰|拉黑|淘汰|\bnot any ?more\b"
    r"|\bavoid\b(?! (?!(?:it|them|this|that|at|if|brands|companies|models|anything|the|an?|both)\b)[a-z])"
    r"|\bsteer clear\b|\bstay away\b|\bskip(?= (?:the |an? )?$| it\b)|\bpass on\b|\brule out\b"
    r"|\bthink twice\b"
    r"|(?:n't|not|never|no longer|cannot) (?:really "
    r"|necessarily )?recommend"
)
"""Advises against what the clause speaks of."""

NEGATION_BEFORE = re.compile(
    r"(?:不(?![仅但只光止错少管论妨断过同够足二]|差钱|缺钱|差预算|[^，。]{1,8}(?:就|则|的话))|没有?|未(?!来)|(?<![特区分级个类性])别|勿|莫|并非|非(?!常)"
    r"|无法|难以|(?:很|太|真)难|才(?:谈得|算得)上|谈不上|算不上|(?:没有?|未|不)被[^，。]{0,10}|\bnot\b|n't|\bnever\b|\bhardly\b"
    r"|\bno (?:reason|need|point)\b)(?![^，。]{1,6}的(?:人|用户|朋友|家庭|同学|话))[^，。]{0,6}$"
    r"|(?:\bnobody\b|\bno one\b|没有?人|没谁)[^，。]{0,12}$|谁$"
    r"|(?:n't|\bnot|\bhardly|\bnever) (?:see|find|have) [a-z ]{0,20}$"
)
"""Turns the cue that follows it."""

DOUBLE_NEGATION = re.compile(
    r"not that (?:i|we) (?:wouldn't|won't|don't|can't)"
    r"|不(?:会|容易|太会|太容易|怎么会|大会)?踩[雷坑]|毫不(?:犹豫|迟疑)地?"
    r"|不假思索|(?:很|太|真)?难(?:以)?不|不得不|不能不|不可不|并?不是不|并非不"
    r"|不会不|没有?理由不|(?:没有?|无)[人谁]?会?不|无不|not un(?=recommend)"
    r"|hard not to|hard to not|can't help but|cannot but"
    r"|no (?:reason|excuse) not(?= to)"
)
"""Two negations that make none."""

EITHER_OR = re.compile(r"[ *_”\"]*还是(?![很会比最更要值])")
"""Directly after a name: a choice is left open (买A还是B)."""

OR_ELSE = re.compile(r"\S还是[ *_“\"]*$")

DEPENDS = re.compile(r"[^，。]{0,6}(?:取决于|要?看[你您个具预]|因人而异|都行|都可以|其实)")
"""Before and after the second of the two."""

OPEN_QUESTION = re.compile(
    r"会不会|是否|要不要|值不值|能不能|能否|该不该|好不好|应不应|是不是|whether|哪(?:个|家|款|些)|怎么|如何"
)
"""Asks instead of saying."""

ANSWERS_NO = re.compile(r"答案(?:是|：|:)?[^。]{0,4}(?:不会|不|否)|\banswer is no\b")

BETWEEN_BREAKS = re.compile(
    r"[再后时]|如果|\band (?:get|buy|go|choose|pick)\b|因为|由于|比如|而(?:不是|非)"
    r"|instead of|rather than|over\b|标准|理由|原因|看(?!重)|提到|对比|相比|主打|专注|适配|兼容|旗下|有[您你]"
)
"""Between a cue and a name: the cue speaks of something else."""

CONDITION = re.compile(
    r"若|如果|如您|如你|要是|假如|倘若|追求|注重|看重|重视|偏好|偏爱|在意|青睐|预算(?:在|约|只有)?(?:\d|[一二三四五六七八九十两]|有限|充足|不足|紧|高"
    r"|低)|想要?|喜欢|适合"
    r"|对于[^，。]{0,16}(?:来说|而言|用户)|\bif you\b|\bfor (?:those|people|users|anyone)\b|\bdepending on\b|\bwant\b"
)
"""Makes a recommendation depend on a need."""

FIRST = re.compile(
    r"(?<![您你]的)首选|首推|最推荐|最值得(?:推荐|考虑)|优先(?:推荐|考虑|选择)|首先(?:会)?(?:推荐|考虑)"
    r"|第一(?:选择|推荐)|排(?:在)?第一"
    r"|头号选择"
    r"|\btop (?:pick|choice|recommendation)\b|\bbest overall\b|\bfirst choice\b|\bour pick\b|\bnumber one\b"
    r"|\bwinner(?=(?: is| goes to)?[:,]?[ *_]*(?:the )?$)|\bbest(?=[ *_]*[:：][ *_]*$)"
)
"""Names the first choice."""

PLACES: tuple[tuple[int, re.Pattern[str]], ...] = (
    (1, re.compile(r"首选|首推|第一(?:选择|推荐|名|位)|1st|first choice|\bwinner\b")),
    (2, re.compile(r"次选|其次|第二(?:选择|推荐|名|位)|2nd|second (?:choice|pick|place)|runner-?up|followed by")),
    (
        3,
        re.compile(
            r"备选|再次|最后(?!还是|推荐|选|决定|我|买|一)|第三(?:选择|推荐|名|位)|3rd|third (?:choice|pick|place)"
        ),
    ),
)
"""Words that state a place."""

UNORDERED = re.compile(r"(?:排名|排序|顺序)?不分(?:先后|名次)|无先后之分|\bno particular order\b|\bin random order\b")
"""Says that the order of writing means nothing."""

RETRACTS = re.compile(
    r"更正|纠正一下|说错了|收回(?:刚才|前面|上面|之前)|我改(?:主意|口)|不对[，,](?:应该|重新)"
    r"|(?:^|[。！？\n])[ ]?等等[，,]"
    r"|\bscratch that\b|\bcorrection:|\bon second thou?ght|\btake that back\b"
)
"""Takes back what was said before."""

MAY_RETRACT = (
    "更正",
    "纠正",
    "说错",
    "收回",
    "我改",
    "不对",
    "等等",
    "scratch",
    "correction",
    "on second",
    "take that",
)
"""One of them stands in every text that retracts."""

NEITHER = re.compile(r"\bneither(?: the)?[ *_]*$")
"""Directly before a name: what is said of it is denied."""

NONE_BEFORE = re.compile(r"(?:没有|找不到)(?:哪[个款]|什么)?(?:牌子|品牌)?比[ *_“\"]*$")

NONE_AFTER = re.compile(r"[ *_”\"]*(?:的[^，。]{0,6})?更(?:值得|好|适合|合适|靠谱|划算|稳)")
"""Around a name: nothing is better than it."""

PAST_BEFORE = re.compile(
    r"(?:曾经?|以前|过去|昔日|当年|早年|从前|一度)(?:我们?|大家)?(?:都|会|也|总|常|一直)?(?:的|是|被)?[*“\"]{0,3}$"
    r"|(?:曾经?|一度|昔日|当年)(?:是|为)[^，。]{1,12}的?$"
    r"|\b(?:used to|formerly|once|no longer)(?: be| my| a| the)* $"
)
"""Directly before a cue: it held once."""

ENOUGH_BEFORE = re.compile(r"\bcan(?:'t|not) (?:recommend|praise|endorse) [\w ]{0,8}$")

ENOUGH_AFTER = re.compile(r"[^,.;\n]{0,40}\b(?:enough|highly)\b")
"""Around a name: praise that has the shape of a refusal (can't recommend X enough)."""

SPEAKS_AHEAD = re.compile(r"(?:可能|应该|就|则)?(?:是|为|：|:)")
"""Directly after a cue: it speaks of what follows, not of what stands before it."""

DENIED_BEFORE = re.compile(
    r"不(?:认为|觉得|相信|会说|敢说|代表|意味着)[ *_“\"]*$"
    r"|\b(?:wouldn't|don't|can't|cannot|didn't|not|never) (?:call|say|think|consider|believe|feel|mean)"
    r"(?: that)?(?: the)? ?[*_]*$"
)
"""Directly before a name: what is said of it is denied."""

REST_AFTER = re.compile(
    r"(?:之外|以外)?[，,][ ]?(?:其他|其它|别的|其余|剩下)"
    r"[^，。]{0,10}(?:不|别)[^，。]{0,4}(?:推荐|建议|考虑|值得|买|选|看)"
)
"""Behind an exception: the others are turned down, so it is not (除了A，其他都不推荐)."""

STILL_AFTER = re.compile(r"[ *_”\"]*(?:更|最|比较)?(?:靠谱|稳妥?|香|值|省心|合适|划算|放心|好用)(?=[，。！；,;!]|$)")
"""Behind 还是 and a name: it is preferred (还是A靠谱)."""
